/** The parts of an approval that say what it would do. */
export interface Proposal {
  readonly kind: 'transition' | 'ask' | 'checkpoint'
  readonly event?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | null | undefined
  readonly tool?: string | undefined
}

/** What is asked, in a line: the call, the move or the answer. */
export function headlineOf(approval: Proposal): string {
  const { kind, event = '', from = '', to, tool = 'the tool' } = approval
  switch (kind) {
    case 'ask':
      return `Call ${tool}`
    case 'transition':
      return `${from} → ${to ?? 'its end'}`
    case 'checkpoint':
      return `Answer “${event}” in ${from}`
  }
}
