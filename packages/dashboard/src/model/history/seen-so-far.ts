import type { Definition, Entry, RunView } from '@statewright/core/internal'

type SeenFact = NonNullable<RunView['facts']>[number]
type SeenMark = NonNullable<RunView['marks']>[number]

/** The call behind a fact or a mark, where its entry is known. */
export interface SeenCall {
  readonly tool: string
  readonly seq: number
}

export interface ShownFact extends SeenFact {
  readonly call: SeenCall | undefined
  /** Keys and values are kept as hashes alone. */
  readonly isPrivate: boolean
}

export interface ShownMark extends SeenMark {
  readonly call: SeenCall | undefined
}

/** What a run has seen so far, as a page shows it. */
export interface SeenSoFar {
  readonly facts: readonly ShownFact[]
  readonly marks: readonly ShownMark[]
  /** Facts that nobody has taught, with the tools whose results would. */
  readonly missing: readonly {
    readonly definition: string
    readonly fact: string
    readonly from: readonly string[]
  }[]
  /** Names of definitions are worth a word where there are several. */
  readonly hasSeveral: boolean
}

interface FactsAndMarks {
  readonly facts?: RunView['facts'] | undefined
  readonly marks?: RunView['marks'] | undefined
}

/** Null where no definition of the run asks for anything. */
export function seenSoFar(
  { facts, marks }: FactsAndMarks,
  definitions: ReadonlyMap<string, Definition>,
  entries: readonly (Entry & { readonly seq: number })[],
): SeenSoFar | null {
  if (facts === undefined && marks === undefined) return null
  const calls = callsOf(entries)
  const declared = [...definitions].flatMap(([definition, one]) =>
    Object.entries((one.kind === 'workflow' ? one.definition.facts : undefined) ?? {}).map(
      ([fact, { from, private: hidden }]) => ({
        definition,
        fact,
        from,
        isPrivate: hidden === true,
      }),
    ),
  )
  const isOf = (one: SeenFact) => (other: { definition: string; fact: string }) =>
    one.definition === other.definition && one.fact === other.fact
  const known = facts ?? []
  const owners = new Set([...known, ...(marks ?? []), ...declared].map((one) => one.definition))
  return {
    facts: known.map((one) => ({
      ...one,
      call: calls.get(one.call_id),
      isPrivate: declared.find(isOf(one))?.isPrivate === true,
    })),
    marks: (marks ?? []).map((one) => ({
      ...one,
      call: one.call_id === null ? undefined : calls.get(one.call_id),
    })),
    missing: declared
      .filter((one) => !known.some((fact) => isOf(fact)(one)))
      .map(({ definition, fact, from }) => ({
        definition,
        fact,
        from: typeof from === 'string' ? [from] : from,
      })),
    hasSeveral: owners.size > 1,
  }
}

/** The last time that each call was let through: an id may be asked about more than once. */
function callsOf(entries: readonly (Entry & { readonly seq: number })[]): Map<string, SeenCall> {
  const calls = new Map<string, SeenCall>()
  for (const entry of entries) {
    if (entry.type !== 'call_decided') continue
    if (entry.decision !== 'allow' && entry.would === undefined) continue
    calls.set(entry.call_id, { tool: entry.tool, seq: entry.seq })
  }
  return calls
}
