import type { Code } from '../base/problem.ts'
import { type Phrase, phrase, type Words } from '../base/text/phrase.ts'
import type {
  CommandFinding,
  ShellFindings,
  Span,
  TakeoverFinding,
  UnprovenFinding,
  WriteFinding,
} from './findings.ts'
import { harmlessReads } from './questions.ts'
import type { CommandPattern, ShellRules } from './rules.ts'

/** Why a shell call is denied or contained: which part, and what would be allowed (SH-11). */
export interface ShellReason extends Span {
  readonly code: Extract<
    Code,
    | 'shell_write'
    | 'command_not_allowed'
    | 'env_blocked'
    | 'shell_unreadable'
    | 'shell_background'
    | 'agent_spawn'
    | 'self_protection'
    | 'sandbox_required'
  >
  readonly message: Phrase
  /** The offending part as it stands in the command, shortened. */
  readonly part: string
}

export interface ShellJudgement {
  /**
   * `allow`: nothing speaks against it. `contain`: nobody knows what it does, so that it may run
   * where it can do no harm. `deny`: it is known to do what it may not, or cannot be read.
   */
  readonly decision: 'allow' | 'contain' | 'deny'
  /** Of a denial why it is one; of `contain` what is not known. */
  readonly reasons: readonly ShellReason[]
}

/** Reasons told for one command; more would not help anybody. */
const maxReasons = 12
const partLength = 120

const allowed: ShellJudgement = { decision: 'allow', reasons: [] }

/** Judges findings by the rules of a state. Every rule only adds reasons. */
export function judgeShell(findings: ShellFindings, rules: ShellRules): ShellJudgement {
  const denials = newReasons(findings)
  const doubts = newReasons(findings)
  const deny = denials.add
  if (rules.guarded) judgeGuarded(findings, deny)
  judgeUnknowns(findings, rules, deny)
  if (rules.readOnly) judgeWrites(findings, rules, deny)
  if (rules.onlyReading) judgeReading(findings, deny)
  if (rules.allowedCommands !== null || rules.patterns !== null) judgeNames(findings, rules, deny)
  if (rules.blockedEnv.length > 0) judgeEnvironment(findings, rules, deny)
  if (isRestricted(rules) && !rules.background) judgeBackground(findings, deny)
  judgeUnproven(findings, rules, deny, doubts.add)
  if (denials.list.length > 0) return { decision: 'deny', reasons: denials.list }
  return doubts.list.length === 0 ? allowed : { decision: 'contain', reasons: doubts.list }
}

function newReasons({ command }: ShellFindings): { readonly list: ShellReason[]; add: Deny } {
  const list: ShellReason[] = []
  return {
    list,
    add: (code, { start, end }, message) => {
      if (list.length >= maxReasons) return
      if (list.some((one) => one.code === code && one.start === start && one.end === end)) return
      const part = command.slice(start, Math.min(end, start + partLength))
      list.push({ code, message, start, end, part })
    },
  }
}

/**
 * What is not proven to read. In a reading state it may run contained; under a list it is the
 * author's affair, as far as the entry speaks of it; with blocked variables it may read them.
 */
function judgeUnproven(findings: ShellFindings, rules: ShellRules, deny: Deny, doubt: Deny): void {
  for (const finding of findings.unproven ?? []) {
    const { message } = finding
    if (isContained(finding, findings, rules)) {
      doubt('sandbox_required', finding, phrase('sh_contained', { finding: message }))
    }
    if (rules.blockedEnv.length === 0 || isSettled(finding)) continue
    const about = { finding: message, names: rules.blockedEnv }
    switch (rules.environment) {
      case 'kept':
        deny('env_blocked', finding, phrase('sh_shows_blocked', about))
        break
      case 'removed':
        break
      default:
        doubt('env_blocked', finding, phrase('sh_shows_blocked', about))
    }
  }
}

const settled = new Set<UnprovenFinding['what']>([
  'runner',
  'place',
  'variable',
  'computed',
  'data',
  'file',
])

/** Setting a variable reads none, and what is started in the ordinary way may have them (SH-9). */
function isSettled({ what }: UnprovenFinding): boolean {
  return settled.has(what)
}

function isContained(
  { what, command, word }: UnprovenFinding,
  findings: ShellFindings,
  rules: ShellRules,
): boolean {
  const { readOnly, onlyReading, allowedCommands, patterns } = rules
  const by = findings.commands[command]
  const listed =
    by === undefined ? [] : (allowedCommands?.filter((words) => startsWith(by, words)) ?? [])
  const isMatched = by !== undefined && patterns !== null && matchesPattern(by, patterns)
  if (what === 'variable' || what === 'input') {
    return readOnly || onlyReading || allowedCommands !== null || patterns !== null
  }
  // Which files are read matters only where the state has no shell (SH-10).
  if (what === 'file') return onlyReading
  if (what === 'place') return (readOnly || onlyReading) && !isMatched
  // A star speaks of everything that follows.
  if (isMatched) return false
  if (listed.length === 0) return readOnly || onlyReading
  if (what !== 'code' && what !== 'option' && what !== 'computed') return false
  // An option that stands in the entry is one that its author has thought of.
  return word === undefined || !listed.some((words) => words.includes(word))
}

type Deny = (code: ShellReason['code'], at: Span, message: Phrase) => void

/** Background work matters where the shell is narrowed (SH-16). */
function isRestricted(rules: ShellRules): boolean {
  const isListed = rules.allowedCommands !== null || rules.patterns !== null
  return rules.readOnly || rules.onlyReading || isListed
}

function judgeGuarded(findings: ShellFindings, deny: Deny): void {
  for (const finding of findings.guard) deny(finding.code, finding, finding.message)
}

function judgeUnknowns(findings: ShellFindings, rules: ShellRules, deny: Deny): void {
  const isNarrow = isRestricted(rules)
  if (!isNarrow && rules.blockedEnv.length === 0) return
  for (const { what, message, ...at } of findings.unknowns) {
    const counts =
      what === 'effect' || what === 'option'
        ? what === 'option'
          ? isNarrow
          : rules.readOnly || rules.onlyReading
        : true
    if (counts) deny('shell_unreadable', at, phrase('sh_unreadable', { finding: message }))
  }
}

function judgeWrites(findings: ShellFindings, rules: ShellRules, deny: Deny): void {
  for (const write of findings.writes) {
    const { command } = write
    const by = command === null ? undefined : findings.commands[command]
    if (by !== undefined && isOwnAffair(by, write.how, rules)) continue
    deny('shell_write', write, phrase('sh_only_reads', { finding: write.message }))
  }
}

/** What a listed command does by itself is what the author allowed. */
function isOwnAffair(by: CommandFinding, how: WriteFinding['how'], rules: ShellRules): boolean {
  if (how === 'redirect') return false
  if (rules.patterns !== null && matchesPattern(by, rules.patterns)) return true
  if (how !== 'state' || !rules.listedMayChange) return false
  return rules.allowedCommands?.some((words) => startsWith(by, words)) ?? false
}

/** Where a state has no shell, only files may be read by one (SH-10). */
function judgeReading(findings: ShellFindings, deny: Deny): void {
  for (const write of findings.writes) deny('shell_write', write, write.message)
  for (const each of findings.background) deny('shell_background', each, each.message)
  const whole = { start: 0, end: findings.command.length }
  if (findings.unproven === undefined) {
    if (!harmlessReads(findings)) deny('command_not_allowed', whole, phrase('sh_reading_only'))
    return
  }
  for (const each of findings.reach ?? []) deny('command_not_allowed', each, each.message)
  for (const { names, message, ...at } of findings.environment) {
    if (names?.every((name) => isOrdinary(name, findings))) continue
    deny('command_not_allowed', at, message)
  }
  for (const takeover of findings.takeovers) {
    if (takeover.isOrdinary) continue
    deny('command_not_allowed', takeover, takeover.message)
  }
  if (findings.commands.length === 0) deny('command_not_allowed', whole, phrase('sh_reading_only'))
}

/** Variables that tell nothing that the agent does not know, or that the text itself sets. */
function isOrdinary(name: string, { command }: ShellFindings): boolean {
  return (
    ordinaryNames.test(name) ||
    new RegExp(`\\b${name}=|\\b(?:for|read(?: -r)?) ${name}\\b`).test(command)
  )
}

const ordinaryNames = new RegExp(
  '^(?:HOME|PWD|OLDPWD|USER|LOGNAME|SHELL|PATH|TMPDIR|HOSTNAME|LANG|TERM|_|REPLY|RANDOM|LINENO|' +
    'SECONDS|UID|BASH\\w*|PIPESTATUS|COLUMNS|LINES|IFS)$',
)

function judgeNames(findings: ShellFindings, rules: ShellRules, deny: Deny): void {
  const { allowedCommands, patterns } = rules
  const allowed = allowedWords(rules)
  findings.commands.forEach((command, index) => {
    if (command.kind === 'function') return
    const isListed =
      allowedCommands === null || allowedCommands.some((it) => startsWith(command, it))
    const isMatched = patterns === null || matchesPattern(command, patterns)
    if (isListed && isMatched) return
    if (command.kind !== 'steer') {
      const why = phrase('sh_not_listed', { command: nameOf(command), allowed })
      deny('command_not_allowed', command, why)
      return
    }
    for (const write of findings.writes) {
      if (write.how !== 'redirect' || write.command !== index) continue
      const about = { command: nameOf(command), target: targetOf(write), allowed }
      deny('command_not_allowed', write, phrase('sh_may_not_redirect', about))
    }
  })
  for (const write of findings.writes) {
    // Of a group nobody says which command fills the file, so no entry covers it.
    if (write.how !== 'redirect' || write.command !== null) continue
    const about = { target: targetOf(write), allowed }
    deny('command_not_allowed', write, phrase('sh_group_may_not_redirect', about))
  }
  for (const takeover of findings.takeovers) {
    if (takeover.how === 'variable' || takesName(takeover, rules)) {
      const why = phrase('sh_takeover', { finding: takeover.message, allowed })
      deny('command_not_allowed', takeover, why)
    }
  }
}

function targetOf({ path }: WriteFinding): Words {
  return path ?? phrase('sh_computed_file')
}

/** A function or alias with another name is harmless: what it runs was walked. */
function takesName(takeover: TakeoverFinding, rules: ShellRules): boolean {
  if (takeover.how === 'alias') return true
  const { name } = takeover
  if (steeringNames.has(name)) return true
  const entries = [
    ...(rules.allowedCommands ?? []),
    ...(rules.patterns ?? []).map((it) => it.words),
  ]
  return entries.some((words) => words[0] === name || words[0]?.endsWith(`/${name}`))
}

const steeringNames = new Set(
  (
    'cd pwd echo printf true false : test [ set export read exit wait break continue shift ' +
    'local declare unset command builtin exec eval'
  ).split(' '),
)

function startsWith(command: CommandFinding, words: readonly string[]): boolean {
  return words.length > 0 && words.every((word, index) => command.words[index] === word)
}

function matchesPattern(command: CommandFinding, patterns: readonly CommandPattern[]): boolean {
  return patterns.some((pattern) => {
    if (pattern.exact && command.words.length !== pattern.words.length) return false
    return pattern.words.every((word, index) => command.words[index] === word)
  })
}

function judgeEnvironment(findings: ShellFindings, rules: ShellRules, deny: Deny): void {
  const blocked = rules.blockedEnv
  for (const finding of findings.environment) {
    const { message } = finding
    if (finding.names === null) {
      const about = { finding: message, names: blocked }
      deny('env_blocked', finding, phrase('sh_shows_blocked', about))
    } else {
      const names = finding.names.filter((name) => blocked.includes(name))
      if (names.length === 0) continue
      deny('env_blocked', finding, phrase('sh_reads_blocked', { finding: message, names }))
    }
  }
}

function judgeBackground(findings: ShellFindings, deny: Deny): void {
  for (const { message, ...at } of findings.background) {
    deny('shell_background', at, phrase('sh_background', { finding: message }))
  }
}

function nameOf(command: CommandFinding): Words {
  const words: string[] = []
  for (const word of command.words.slice(0, 2)) {
    if (word === null) break
    words.push(word)
  }
  return words.length === 0 ? phrase('sh_computed_command') : words.join(' ').slice(0, 60)
}

function allowedWords(rules: ShellRules): Phrase | readonly string[] {
  const entries = (rules.allowedCommands ?? []).map((words) => words.join(' '))
  for (const { words, exact } of rules.patterns ?? []) {
    entries.push(exact ? words.join(' ') : `${words.join(' ')} *`)
  }
  if (entries.length === 0) return phrase('sh_nothing')
  return entries.length > 12 ? [...entries.slice(0, 12), '…'] : entries
}
