import { type Phrase, textOf } from '../base/text/phrase.ts'
import { analyzeShell } from './analyze.ts'
import { programTable, type ShellConfig } from './configured.ts'
import type { ShellFindings } from './findings.ts'
import { judgeShell, type ShellJudgement, type ShellReason } from './judge.ts'
import { readShellPolicy, type ShellPolicy } from './policy.ts'
import type { Workspace } from './scope.ts'

export interface CommandOptions {
  /** What programs do that we know nothing of, as under `shell` in `statewright.yaml`. */
  readonly programs?: ShellConfig['programs']
  /** Where the command runs; without it every path counts as one of the workspace. */
  readonly workspace?: Workspace
}

/** The same with its sentences as text. */
type Shown<Told> = { readonly [Key in keyof Told]: Told[Key] extends Phrase ? string : Told[Key] }

type ShownLists<Lists> = {
  readonly [Key in keyof Lists]: Lists[Key] extends readonly (infer One extends object)[]
    ? readonly Shown<One>[]
    : Lists[Key]
}

/**
 * What bash would do with a command: the programs it runs, the files it reads and writes, the
 * variables it reads, and what cannot be known. Each part has its offsets in the text.
 *
 * @example
 * import { analyzeCommand, type CommandFindings } from '@statewright/core/shell'
 *
 * const found: CommandFindings = analyzeCommand('cat a.txt | tee "$OUT" > b.txt')
 * console.log(found.commands.map(({ words }) => words[0]).join()) // cat,tee
 */
export type CommandFindings = ShownLists<Required<ShellFindings>>

/**
 * Whether a command may run under a policy. Only `allow` may; `contain` may where nothing it does
 * can last, as in a sandbox.
 *
 * @example
 * import { type CommandJudgement, judgeCommand } from '@statewright/core/shell'
 *
 * const judged: CommandJudgement = judgeCommand('git log -3', { mode: 'read-only' })
 * console.log(judged.decision) // allow
 */
export interface CommandJudgement extends Omit<ShellJudgement, 'reasons'> {
  readonly reasons: readonly Shown<ShellReason>[]
}

/**
 * Tells what bash would do with a command, by its syntax tree. It never throws: what it cannot
 * read is told under `unknowns`.
 *
 * @example
 * import { analyzeCommand } from '@statewright/core/shell'
 *
 * const { writes } = analyzeCommand('grep -r x src > hits.txt')
 * console.log(writes[0]?.path) // hits.txt
 */
export function analyzeCommand(command: string, options: CommandOptions = {}): CommandFindings {
  return shownLists(findingsOf(command, options))
}

/**
 * Judges a command by a policy in the words of a state. A policy with a field that is not known
 * throws a `TypeError`: a misspelt rule must not let everything pass.
 *
 * @example
 * import { judgeCommand } from '@statewright/core/shell'
 *
 * const { decision, reasons } = judgeCommand('git log; rm -rf build', { mode: 'read-only' })
 * console.log(decision, reasons[0]?.code, reasons[0]?.part) // deny shell_write build
 */
export function judgeCommand(
  command: string,
  policy: ShellPolicy,
  options: CommandOptions = {},
): CommandJudgement {
  const rules = readShellPolicy(policy)
  if (!rules.ok) throw new TypeError(rules.error)
  const { decision, reasons } = judgeShell(findingsOf(command, options), rules.value)
  return { decision, reasons: reasons.map(shownMessage) }
}

function findingsOf(command: string, { programs, workspace }: CommandOptions): ShellFindings {
  const table = programs === undefined ? {} : { programs: programTable({ programs }) }
  return analyzeShell(command, { ...table, ...(workspace === undefined ? {} : { workspace }) })
}

function shownLists(findings: ShellFindings): CommandFindings {
  return {
    ...findings,
    writes: findings.writes.map(shownMessage),
    environment: findings.environment.map(shownMessage),
    takeovers: findings.takeovers.map(shownMessage),
    unproven: (findings.unproven ?? []).map(shownMessage),
    reach: (findings.reach ?? []).map(shownMessage),
    unknowns: findings.unknowns.map(shownMessage),
    background: findings.background.map(shownMessage),
    guard: findings.guard.map(shownMessage),
  }
}

function shownMessage<One extends { readonly message: Phrase }>(
  one: One,
): Omit<One, 'message'> & { readonly message: string } {
  return { ...one, message: textOf(one.message) }
}
