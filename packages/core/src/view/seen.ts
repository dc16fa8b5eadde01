import type { Json } from '../base/json.ts'
import { own } from '../base/own.ts'
import type { Program } from '../machine/machine.ts'
import { isPolicyOwner } from '../policy/compile-policy.ts'
import type { RunSnapshot } from '../run/snapshot.ts'

/** One value that a result taught. */
export interface SeenFact {
  readonly definition: string
  readonly fact: string
  /** Null for a fact of one value. */
  readonly key: string | null
  readonly value: Json
  readonly call_id: string
  readonly at: number
  readonly expires_at: number | null
}

export interface SeenMark {
  readonly definition: string
  readonly mark: string
  /** Null while no call has set it. */
  readonly call_id: string | null
  readonly at: number | null
}

/** What a run has seen so far; left out where nothing of it asks for that. */
export function seenView(
  program: Program,
  run: RunSnapshot,
  now: number,
): { readonly facts?: readonly SeenFact[]; readonly marks?: readonly SeenMark[] } {
  const machines = [...program.machines.values()]
  const hasFacts = machines.some(({ facts }) => facts.length > 0)
  const marks = [...declaredMarks(program, run), ...policyMarks(run)]
  return {
    ...(hasFacts ? { facts: machines.flatMap((machine) => factsOf(machine, run, now)) } : {}),
    ...(marks.length === 0 ? {} : { marks }),
  }
}

type Machine = Program['root']

function factsOf({ id, facts }: Machine, run: RunSnapshot, now: number): SeenFact[] {
  return facts.flatMap(({ name, key, expiresMs }) => {
    const values = own(own(run.facts, id), name)?.values ?? {}
    return Object.entries(values).flatMap(([known, { value, at, callId }]) => {
      const expires_at = expiresMs === null ? null : at + expiresMs
      if (expires_at !== null && Number.isFinite(now) && now >= expires_at) return []
      const shown = key === null ? null : known
      return [{ definition: id, fact: name, key: shown, value, call_id: callId, at, expires_at }]
    })
  })
}

function declaredMarks({ machines }: Program, run: RunSnapshot): SeenMark[] {
  return [...machines.values()].flatMap(({ id, marks }) =>
    marks.map(({ name }) => seenMark(id, name, run)),
  )
}

/** Marks of policies, which are known here once a call has set them. */
function policyMarks(run: RunSnapshot): SeenMark[] {
  return Object.entries(run.marks ?? {})
    .filter(([owner]) => isPolicyOwner(owner))
    .flatMap(([owner, marks]) => Object.keys(marks).map((name) => seenMark(owner, name, run)))
}

function seenMark(definition: string, mark: string, run: RunSnapshot): SeenMark {
  const set = own(own(run.marks, definition), mark)
  return { definition, mark, call_id: set?.callId ?? null, at: set?.at ?? null }
}
