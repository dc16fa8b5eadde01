import { phrase } from '../../base/text/phrase.ts'
import { type Arg, noteUnknown, noteVariable, noteWrite, type Walk } from '../context.ts'
import type { CommandKind, Span } from '../findings.ts'
import { type Call, noteOptions, noteUnclear } from '../programs/apply.ts'
import { parseOptions } from '../programs/options.ts'

const statements =
  /^(?:select|show|explain|describe|desc|values|table|with|pragma|use|begin|rollback|help)\b/i
const changing = new RegExp(
  '\\b(?:' +
    'into|insert|update|delete|drop|alter|create|truncate|grant|revoke|replace|merge|' +
    'copy|call|do|vacuum|attach|load|lock|set|nextval|setval|lo_export|lo_import|' +
    'pg_terminate_backend|pg_reload_conf|dblink_exec|writefile|load_extension|edit' +
    ')\\b',
  'i',
)

/** Database shells: asking is reading; everything else changes data. */
export function readSql(walk: Walk, call: Call): CommandKind {
  const parsed = parseOptions(call.program, call.args)
  noteUnclear(walk, call, parsed.unclear)
  const outcome = noteOptions(walk, call, parsed.used)
  if (outcome.isQuiet) return 'read'
  let kind: CommandKind = 'read'
  const codes: Arg[] = []
  for (const { option, value } of parsed.used) {
    if (/^(?:-c|-e|-cmd|-s|--command|--execute)$/.test(option.name) && value) codes.push(value)
    if (option.role === 'load') kind = 'other'
  }
  if (call.title === 'sqlite3' || call.title === 'duckdb') codes.push(...parsed.operands.slice(1))
  for (const code of codes) {
    if (code.text === null) {
      noteUnknown(walk, 'code', code, phrase('sh_sql_computed'))
      kind = 'other'
    } else if (!judgeSql(walk, code.text, code)) kind = 'other'
  }
  if (codes.length === 0 || call.title === 'sqlite3') {
    const { stdin } = walk
    if (stdin.kind === 'text') {
      if (!judgeSql(walk, stdin.text, stdin.at)) kind = 'other'
    } else if (stdin.kind !== 'empty' && codes.length === 0) {
      noteUnknown(walk, 'code', call.at, phrase('sh_sql_from_input_cannot'))
    }
  }
  return outcome.changes ? 'other' : kind
}

function judgeSql(walk: Walk, source: string, at: Span): boolean {
  if (source.length > 8192) {
    noteUnknown(walk, 'code', at, phrase('sh_sql_too_long_read'))
    return false
  }
  const text = source.replace(/'(?:[^']|'')*'|--[^\n]*|\/\*[^*]*\*\//g, "''")
  for (const part of text.split(/;|\n(?=[.\\])/)) {
    const statement = part.trim()
    if (statement === '') continue
    if (/^[.\\]/.test(statement)) {
      if (!judgeMeta(walk, statement, at)) return false
      continue
    }
    if (/^system\b|\bprogram\b/i.test(statement)) {
      noteUnknown(walk, 'code', at, phrase('sh_sql_starts_program'))
      return false
    }
    const explains = /^explain\b(?!.*\banaly[sz]e\b)/is.test(statement)
    const isRead = statements.test(statement) && (explains || !changing.test(statement))
    const sets = /^pragma\b.*=/is.test(statement)
    if (!isRead || sets || /\\(?!n|t)/.test(statement)) {
      noteWrite(walk, 'state', null, at, phrase('sh_sql_not_known_only'))
      return false
    }
  }
  return true
}

const harmlessMeta = new RegExp(
  '^(?:\\\\(?:d\\w*\\+?|l\\+?|x|q|timing|pset|conninfo|encoding|echo|z|sf\\+?|sv|h|a|t)|' +
    '\\.(?:tables|schema|headers?|mode|databases|indexes|indices|show|width|help|quit|exit|' +
    'timer|fullschema|separator|nullvalue|explain|dump|changes|bail))' +
    '(?:\\s+[\\w.*"+-]+)*\\s*$',
)

/** Commands of the shell itself, such as `\d` and `.tables`. */
function judgeMeta(walk: Walk, command: string, at: Span): boolean {
  if (/^\\getenv|^\.env/.test(command)) {
    noteVariable(walk, null, at, phrase('sh_database_shell_reads_variable'))
    return true
  }
  const harmless = harmlessMeta.test(command)
  if (!harmless) noteUnknown(walk, 'code', at, phrase('sh_command_database_shell_can'))
  return harmless
}
