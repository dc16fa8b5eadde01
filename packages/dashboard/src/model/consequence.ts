/** The parts of an approval that say what it would do. */
export interface Proposal {
  readonly kind: 'transition' | 'ask' | 'checkpoint'
  readonly event?: string
  readonly from?: string
  readonly to?: string | null
  readonly tool?: string
  readonly data?: Readonly<Record<string, unknown>>
}

/** What happens when a person says yes, and what when no, in sentences. */
export interface Consequence {
  readonly headline: string
  readonly ifApproved: string
  readonly ifRejected: string
  /** What "always" would open; null where it cannot be said. */
  readonly always: string | null
}

export function consequenceOf(proposal: Proposal): Consequence {
  const { kind, event = '', from = '', tool = 'the tool' } = proposal
  const to = proposal.to ?? 'its end'
  switch (kind) {
    case 'ask':
      return {
        headline: `Call ${tool}`,
        ifApproved: `The agent may call ${tool} once, with exactly these arguments.`,
        ifRejected: 'The same call is denied for the rest of the run, with your reason.',
        always: `Every call that this rule asks about passes in this run, without asking again.`,
      }
    case 'transition':
      return {
        headline: `${from} → ${to}`,
        ifApproved: `The run moves from ${from} to ${to} by ${event}${written(proposal)}.`,
        ifRejected: `The run stays in ${from}, and the agent is told your reason.`,
        always: null,
      }
    case 'checkpoint':
      return {
        headline: `Answer “${event}” in ${from}`,
        ifApproved: `The answer “${event}” counts, and the process goes on to ${to}.`,
        ifRejected: `The answer does not count; the process stays at ${from}.`,
        always: null,
      }
  }
}

function written({ data }: Proposal): string {
  const names = Object.keys(data ?? {})
  return names.length === 0 ? '' : `, and these fields are written: ${names.join(', ')}`
}
