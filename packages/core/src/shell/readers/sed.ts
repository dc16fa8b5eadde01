import { phrase } from '../../base/text/phrase.ts'
import { type Arg, isSink, noteUnproven, noteWrite, type Walk } from '../context.ts'
import type { CommandKind } from '../findings.ts'
import { isStream } from '../input-code.ts'
import type { Call } from '../programs/call.ts'
import { asksForHelp, noteUnclear, runCommandLine } from '../programs/effects.ts'
import { parseOptions } from '../programs/options.ts'
import { compileOptions } from '../programs/table.ts'
import { kinds } from '../scope.ts'
import { noteNamedFile } from '../workspace-files.ts'
import { readSedScript } from './sed-script.ts'

const options = compileOptions({
  does: 'read',
  options: {
    flag:
      '-n --quiet --silent -E -r --regexp-extended -s --separate -u --unbuffered -z ' +
      '--null-data -b --binary --posix --debug --sandbox --follow-symlinks -l: ' +
      '--line-length: -e: --expression: -f: --file: -a',
    write: '-i? --in-place? -I?',
  },
})

/** sed: in-place editing, and the w, W and e commands of its little language. */
export function readSed(walk: Walk, call: Call): CommandKind {
  if (asksForHelp(call)) return 'read'
  const parsed = parseOptions(options, call.args)
  const used = parsed.used
  noteUnclear(walk, { ...call, program: options }, parsed)
  let kind: CommandKind = parsed.unknown.length === 0 ? 'read' : 'other'
  let isEditing = false
  const scripts: Arg[] = []
  let hasFile = false
  for (const { option, value, at } of used) {
    if (option.role === 'write') {
      isEditing = true
      noteWrite(walk, 'file', null, at, phrase('sh_sed_i_rewrites_files'))
    } else if (option.name === '-e' || option.name === '--expression') {
      if (value !== null) scripts.push(value)
    } else if (option.name === '-f' || option.name === '--file') {
      hasFile = true
      if (value !== null && isStream(value)) {
        noteUnproven(walk, 'code', value, phrase('sh_sed_script_from_stream'))
      }
    }
  }
  const operands = [...parsed.operands]
  if (scripts.length === 0 && !hasFile) {
    const script = operands.shift()
    if (script !== undefined) scripts.push(script)
  }
  if (isEditing) {
    kind = 'other'
    for (const file of operands) {
      if (file.text !== null)
        noteWrite(walk, 'file', file.text, file, phrase('sh_sed_i_rewrites_files'))
    }
  }
  if (hasFile) {
    // A script file is like a script started by name.
    kind = 'other'
  }
  // A script in several -e pieces is one script: `-e 'a\' -e 'text'`.
  if (readScripts(walk, scripts)) kind = 'other'
  return kind
}

function readScripts(walk: Walk, scripts: readonly Arg[]): boolean {
  let acts = false
  for (const script of scripts) {
    // Numbers, as in sed -n "$((n+1))p", cannot spell a command.
    const text =
      script.text ?? (script.kind === kinds.number ? script.shape.replaceAll('\0', '1') : null)
    if (text === null) {
      noteUnproven(walk, 'code', script, phrase('sh_sed_script_computed'))
      return true
    }
    const found = text.length > 8192 ? null : readSedScript(text)
    if (found === null) {
      noteUnproven(walk, 'code', script, phrase('sh_sed_script_not_understood'))
      return true
    }
    for (const path of found.reads) noteNamedFile(walk, path, script)
    for (const path of found.writes) {
      if (isSink(path)) continue
      acts = true
      noteWrite(walk, 'file', path, script, phrase('sh_w_command_sed_writes'))
    }
    for (const command of found.runs) {
      acts = true
      if (command === null) noteUnproven(walk, 'code', script, phrase('sh_sed_runs_text_command'))
      else runCommandLine(walk, { ...script, text: command, verbatim: -1 }, script)
    }
  }
  return acts
}
