import { z } from 'zod'
import { isJsonObject } from '../base/json.ts'
import { err, ok, type Result } from '../base/result.ts'
import { parseDefinition } from '../check/check-definition.ts'
import { hashText } from '../definition/hash.ts'
import { brokenLink } from '../history/chain.ts'
import { type OlderPart, replay as replayEntries } from '../history/replay.ts'
import type { Program as CompiledProgram } from '../machine/machine.ts'
import { compileProgram, type Definition } from '../machine/program.ts'
import type { Entry } from '../run/entries.ts'
import type { RunSnapshot } from '../run/snapshot.ts'
import { definitionIn, inside, type Program } from './compile.ts'

/** Where a history is not what the engine would have written, counted from one. */
export interface HistoryFault {
  readonly seq: number
  readonly problem: string
}

/**
 * Plays a history again, entry by entry, and gives the snapshot at its end. An entry that its event
 * would not have given is a fault.
 *
 * @example
 * import { compile, replay, start, step } from '@statewright/core'
 *
 * const compiled = compile(`
 * id: look
 * initial: reading
 * states:
 *   reading: { on: { DONE: done } }
 *   done: { type: final }
 * `)
 * if (!compiled.ok) throw new Error(compiled.error[0]?.message)
 * const program = compiled.value
 * const first = start(program, { at: 1 })
 * const done = { type: 'transition_requested', event: 'DONE', at: 2 } as const
 * const last = step(program, first.snapshot, done)
 * const again = replay(program, [...first.entries, ...last.entries])
 * console.log(again.ok && again.value.status) // completed
 */
export function replay(
  program: Program,
  entries: readonly Entry[],
): Result<RunSnapshot, HistoryFault> {
  const played = replayEntries(program[inside].compiled, entries)
  if (played.ok) return ok(played.run)
  return err({ seq: played.index + 1, problem: played.problem })
}

export interface VerifiedRun {
  readonly runId: string
  readonly entries: number
  /** Where the history leads. */
  readonly snapshot: RunSnapshot
  /** What an older engine wrote, which only its chain proves. */
  readonly older?: OlderPart
}

/**
 * Whether a run is whole: what `statewright run export` wrote, as text or value. Every hash must
 * fit the entry before, and every entry must be what its event gives. Nothing of the server is
 * needed, and nothing that it says is believed.
 *
 * @example
 * import { verify } from '@statewright/core'
 *
 * const verified = verify('{"format":"statewright-run/1"}')
 * if (!verified.ok) console.log(verified.error.problem)
 * // this is not an exported run: run is missing or wrong
 */
export function verify(exported: string | object): Result<VerifiedRun, HistoryFault> {
  const read = readExport(exported)
  if (!read.ok) return err({ seq: 0, problem: read.error })
  const { run, program: source, entries } = read.value
  const program = programOf(source)
  if (program === null) return err({ seq: 0, problem: 'its definition does not compile' })
  const broken = brokenLink(run.run_id, entries, hashText)
  if (broken !== null) return err(broken)
  const played = replayEntries(
    program,
    entries.map(({ entry }) => entry),
  )
  if (!played.ok) return err({ seq: played.index + 1, problem: played.problem })
  const { run: snapshot, older } = played
  return ok({
    runId: run.run_id,
    entries: entries.length,
    snapshot,
    ...(older === null ? {} : { older }),
  })
}

const StoredDefinition = z.object({
  kind: z.enum(['workflow', 'process']),
  definition: z.looseObject({}),
})

const ExportedRun = z.object({
  format: z.literal('statewright-run/1'),
  run: z.object({ run_id: z.string() }),
  program: z.object({
    root: StoredDefinition,
    others: z.array(z.tuple([z.string(), StoredDefinition])),
  }),
  entries: z.array(
    z.object({
      seq: z.number(),
      hash: z.string(),
      // Replaying proves what it holds: a schema would only say so.
      entry: z.custom<Entry>(isJsonObject),
    }),
  ),
})

function readExport(exported: string | object): Result<z.infer<typeof ExportedRun>, string> {
  let value: unknown = exported
  if (typeof exported === 'string') {
    // A text from outside; what is wrong with it is the answer.
    try {
      value = JSON.parse(exported)
    } catch {
      return err('this is not JSON')
    }
  }
  const read = ExportedRun.safeParse(value)
  if (read.success) return ok(read.data)
  const [issue] = read.error.issues
  return err(`this is not an exported run: ${issue?.path.join('.')} is missing or wrong`)
}

function programOf(source: z.infer<typeof ExportedRun>['program']): CompiledProgram | null {
  const root = definitionOf(source.root)
  if (root === undefined) return null
  const others = new Map(source.others.map(([name, one]) => [name, definitionOf(one)]))
  const compiled = compileProgram(root, (name) => others.get(name))
  return compiled.ok ? compiled.value : null
}

function definitionOf(stored: z.infer<typeof StoredDefinition>): Definition | undefined {
  // Not checked again: what an older version accepted is what the run was held to.
  const read = parseDefinition(stored.definition, { kind: stored.kind })
  return definitionIn(read)
}
