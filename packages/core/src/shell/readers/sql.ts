import { phrase } from '../../base/text/phrase.ts'
import { type Arg, noteUnproven, noteVariable, noteWrite, type Walk } from '../context.ts'
import type { CommandKind, Span } from '../findings.ts'
import type { Call } from '../programs/call.ts'
import { noteOptions, noteUnclear } from '../programs/effects.ts'
import { parseOptions } from '../programs/options.ts'

/** A statement that asks, of plain words, numbers, signs and quoted text, and nothing else. */
const asking = /^(?:select|show|explain|describe|desc|values)\b[\w\s.,*()=<>!+%|-]*$/i
const changing =
  /\b(?:into|insert|update|delete|drop|alter|create|truncate|grant|replace|merge|copy|call|set)\b/i
/** Functions that only compute. Any other may be one that writes, loads code or runs a program. */
const functions = new Set(
  (
    'count sum avg min max length lower upper coalesce ifnull nullif substr substring trim round ' +
    'abs distinct date datetime strftime time group_concat string_agg now cast in exists and or ' +
    'not from where on as values over select having'
  ).split(' '),
)

/** Database shells: asking is reading; everything else changes data. */
export function readSql(walk: Walk, call: Call): CommandKind {
  const parsed = parseOptions(call.program, call.args)
  noteUnclear(walk, call, parsed)
  const outcome = noteOptions(walk, call, parsed.used)
  const doubtful = parsed.unknown.length > 0 || outcome.changes
  if (outcome.isQuiet) return doubtful ? 'other' : 'read'
  let kind: CommandKind = doubtful ? 'other' : 'read'
  // Without this it makes a database that is not there.
  const mayMake = call.title === 'sqlite3' || call.title === 'duckdb'
  const isFixed = parsed.operands[0]?.text?.includes('immutable=1') === true
  if (mayMake && parsed.operands.length > 0 && !isFixed) {
    kind = 'other'
    noteUnproven(walk, 'runner', call.at, phrase('sh_makes_database', { program: call.title }))
  }
  // A connection may be told to write its keys into a file.
  const keeping = call.args.find(({ shape }) => shape.includes('sslkeylogfile'))
  if (keeping !== undefined) {
    kind = 'other'
    noteUnproven(walk, 'option', keeping, phrase('sh_unknown_option', { program: call.title }))
  }
  // Views, functions and settings of the database may start programs whatever is asked.
  noteUnproven(walk, 'runner', call.at, phrase('sh_unknown_program', { program: call.title }))
  const codes: Arg[] = []
  for (const { option, value } of parsed.used) {
    if (/^(?:-c|-e|-cmd|-s|--command|--execute)$/.test(option.name) && value) codes.push(value)
    if (option.role === 'load') kind = 'other'
  }
  if (call.title === 'sqlite3' || call.title === 'duckdb') codes.push(...parsed.operands.slice(1))
  for (const code of codes) {
    if (code.text === null) {
      noteUnproven(walk, 'code', code, phrase('sh_sql_computed'))
      kind = 'other'
    } else if (!judgeSql(walk, code.text, code)) kind = 'other'
  }
  if (codes.length === 0 || call.title === 'sqlite3') {
    const { stdin } = walk
    if (stdin.kind === 'text') {
      if (!judgeSql(walk, stdin.text, stdin.at)) kind = 'other'
    } else if (stdin.kind !== 'empty' && codes.length === 0) {
      noteUnproven(walk, 'code', call.at, phrase('sh_sql_from_input_cannot'))
    }
  }
  return outcome.changes ? 'other' : kind
}

function judgeSql(walk: Walk, source: string, at: Span): boolean {
  const doubt = (): boolean => {
    noteUnproven(walk, 'code', at, phrase('sh_sql_not_known_only'))
    return false
  }
  if (source.length > 8192) return doubt()
  for (const part of source.split(/;|\n(?=[.\\])/)) {
    const statement = part.trim()
    if (statement === '') continue
    if (/^[.\\]/.test(statement)) {
      if (!judgeMeta(walk, statement, at)) return false
      continue
    }
    // Quotes of the other kinds, brackets, comments and escapes can hide where a statement ends.
    const text = statement.replace(/'[^'"\\\n;]*'/g, '0')
    if (/^(?:insert|update|delete|drop|alter|create|truncate|grant|revoke|replace)\b/i.test(text)) {
      noteWrite(walk, 'state', null, at, phrase('sh_sql_not_known_only'))
      return false
    }
    if (!asking.test(text) || changing.test(text) || /--/.test(text)) return doubt()
    for (const [, name = ''] of text.matchAll(/([\w.]+)\s*\(/g)) {
      if (!functions.has(name.toLowerCase())) return doubt()
    }
  }
  return true
}

const harmlessMeta = new RegExp(
  '^(?:\\\\(?:d\\w*\\+?|l\\+?|x|q|timing|conninfo|z|a|t)|' +
    '\\.(?:tables|schema|headers?|mode|databases|indexes|indices|show|width|help|quit|exit|' +
    'timer|fullschema|dump|changes|bail))' +
    '(?:\\s+[\\w.*+-]+)*\\s*$',
)

/** Commands of the shell itself, such as `\d` and `.tables`. */
function judgeMeta(walk: Walk, command: string, at: Span): boolean {
  if (/^\\getenv|^\.env/.test(command)) {
    noteVariable(walk, null, at, phrase('sh_database_shell_reads_variable'))
    return true
  }
  const harmless = harmlessMeta.test(command)
  if (!harmless) noteUnproven(walk, 'code', at, phrase('sh_command_database_shell_can'))
  return harmless
}
