import { phrase } from '../base/text/phrase.ts'
import {
  isSink,
  noteUnknown,
  noteUnproven,
  noteVariable,
  noteWrite,
  startedIndirectly,
  type Walk,
} from './context.ts'
import { type CodeVariable, codeVariables } from './entries/variables.ts'
import type { Span } from './findings.ts'
import { kinds, type Value } from './scope.ts'

/** What people commonly set such variables to. */
const ordinaryProgram =
  /^(?:|none|true|false|:|cat|less|more|(?:g?cc|g\+\+|c\+\+|clang(?:\+\+)?)(?:-\d+)?)$/

/**
 * A variable is set. Most are harmless; some hold a command, name a file with code, or name a
 * file that is written, and these say so. Under `allowed_commands` each of them is a takeover.
 */
export function noteAssignment(walk: Walk, name: string, value: Value, at: Span): void {
  // Catalogues of texts and zones are files, of the project where the name leads there.
  if (/^(?:LANG|LANGUAGE|LC_\w+|TZ|TERM)$/.test(name) && /\0|\.\.|(?:^|:)\//.test(value.shape)) {
    noteUnproven(walk, 'variable', at, phrase('sh_unknown_variable', { name }))
  }
  const known = findVariable(name)
  if (known === undefined) return
  walk.notes.takeovers.push({
    how: 'variable',
    name,
    ...(known.holds === 'command' && /^(?:|cat|less|more|true)$/.test(value.text ?? '-')
      ? { isOrdinary: true }
      : {}),
    start: at.start,
    end: at.end,
    message: phrase('sh_changes_code_runs', { name }),
  })
  switch (known.holds) {
    case 'command':
      if (value.text === null) {
        noteUnknown(walk, 'code', at, phrase('sh_holds_command_computed', { name }))
      } else if (!ordinaryProgram.test(value.text)) {
        const text = known.strip === undefined ? value.text : value.text.replace(known.strip, '')
        const inner: Walk = { ...walk, via: 'program', depth: walk.depth + 1 }
        startedIndirectly(walk, at, () => walk.runText(inner, text, at, -1))
      }
      return
    case 'file':
      if (value.text !== '')
        noteUnknown(walk, 'code', at, phrase('sh_names_file_whose_code', { name }))
      return
    case 'output':
      if (value.text === null)
        noteWrite(walk, 'file', null, at, phrase('sh_names_file_write', { name }))
      else if (/^(?:|[0-9]|true|false)$/i.test(value.text) || isSink(value.text)) return
      else noteWrite(walk, 'file', value.text, at, phrase('sh_names_file_write', { name }))
      return
    case 'options':
      if (value.text === null || known.danger?.test(value.text)) {
        noteUnknown(walk, 'code', at, phrase('sh_can_load_code', { name }))
      }
      return
    case 'path':
      if (!isUsual(value.shape)) {
        noteUnproven(walk, 'variable', at, phrase('sh_unknown_variable', { name }))
      }
      if (hasOddFolder(value.shape)) {
        noteUnknown(walk, 'code', at, phrase('sh_puts_folder_anybody_can', { name }))
      }
      return
    case 'prompt':
      notePrompt(walk, name, value, at)
      return
    case 'search':
      noteUnproven(walk, 'variable', at, phrase('sh_unknown_variable', { name }))
      return
    default:
      known.holds satisfies never
  }
}

const usualFolder = /^(?:\/(?:usr\/|usr\/local\/|opt\/homebrew\/)?s?bin|\/usr\/games)$/

/** Folders of the machine alone; what is computed may be a folder of the project. */
function isUsual(path: string): boolean {
  return path.split(':').every((folder) => usualFolder.test(folder))
}

/** Without a PATH bash looks for programs in the folder where it stands. */
export function noteUnset(walk: Walk, name: string, at: Span): void {
  if (findVariable(name)?.holds !== 'path') return
  noteAssignment(walk, name, { text: '', shape: '', kind: kinds.text }, at)
}

/** Variables that programs read as a matter of taste, not as an instruction. */
const harmless = new Set(
  (
    'LANG LANGUAGE TZ TERM COLUMNS LINES NO_COLOR FORCE_COLOR CLICOLOR CLICOLOR_FORCE COLORTERM ' +
    'CI NODE_ENV RAILS_ENV RACK_ENV APP_ENV DEBUG VERBOSE PYTHONUNBUFFERED ' +
    'PYTHONDONTWRITEBYTECODE RUST_BACKTRACE RUST_LOG IFS PAGER GIT_PAGER MANPAGER GH_PAGER ' +
    'AWS_PAGER LESSCHARSET POSIXLY_CORRECT'
  ).split(' '),
)

/** A variable is handed to a program, which may take it for an instruction that we do not know. */
export function noteHanded(walk: Walk, name: string, at: Span): void {
  if (harmless.has(name) || name.startsWith('LC_')) return
  if (findVariable(name)?.holds === 'search') return
  noteUnproven(walk, 'variable', at, phrase('sh_unknown_variable', { name }))
}

/** A prompt is expanded whenever it is shown, which tracing does for every command. */
function notePrompt(walk: Walk, name: string, value: Value, at: Span): void {
  if (value.text === null || /\$[({[]|`/.test(value.text)) {
    noteUnknown(walk, 'code', at, phrase('sh_expanded_when_shown', { name }))
    return
  }
  for (const match of value.text.matchAll(/\$([A-Za-z_]\w*)/g)) {
    noteVariable(walk, match[1] ?? null, at)
  }
}

function findVariable(name: string): CodeVariable | undefined {
  // npm reads its settings in any case.
  if (/^npm_config_/i.test(name)) return codeVariables.exact.get(name.toLowerCase()) ?? npmSetting
  const exact = codeVariables.exact.get(name)
  if (exact !== undefined) return exact
  for (const [prefix, variable] of codeVariables.prefixes) {
    if (name.startsWith(prefix)) return variable
  }
  return undefined
}

const npmSetting: CodeVariable = { holds: 'search' }

/** Relative and temporary folders: what lies there is nobody's promise. */
function hasOddFolder(path: string): boolean {
  return path.split(':').some((folder) => {
    if (/^\/(?:tmp|var\/tmp|dev\/shm)(?:\/|$)/.test(folder)) return true
    if (/^(?:\.\/)?(?:node_modules\/\.bin|\.?venv\/bin)$/.test(folder)) return false
    return !/^[/~\0$]/.test(folder)
  })
}
