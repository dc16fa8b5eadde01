import { phrase } from '../../base/text/phrase.ts'
import { type Arg, isSink, noteUnproven, noteVariable, noteWrite, type Walk } from '../context.ts'
import type { CommandKind } from '../findings.ts'
import { isStream } from '../input-code.ts'
import type { Call } from '../programs/call.ts'
import { asksForHelp, noteUnclear, reaches, runCommandLine } from '../programs/effects.ts'
import { parseOptions } from '../programs/options.ts'
import { compileOptions } from '../programs/table.ts'
import { kinds } from '../scope.ts'
import { noteNamedFile } from '../workspace-files.ts'
import { readAwkScript } from './awk-script.ts'

const options = compileOptions({
  does: 'read',
  style: 'posix',
  options: {
    flag:
      '-F: --field-separator: -v: --assign: -f: --file: -e: --source: -b -c -C -k ' +
      '-n -N -O -P -r -s -S -t -I --characters-as-bytes --traditional --posix ' +
      '--re-interval --sandbox --lint? --optimize --non-decimal-data ' +
      '--use-lc-numeric --bignum --csv -M --copyright',
    writeAlso: '-d? --dump-variables? -o? --pretty-print? -p? --profile? -D?',
    load: '-E: --exec: -i: --include: -l: --load:',
  },
})

/** awk: redirects, pipes and system() of its little language; comparisons are not redirects. */
export function readAwk(walk: Walk, call: Call): CommandKind {
  const parsed = parseOptions(options, call.args)
  if (asksForHelp(call)) return 'read'
  const unclear = parsed.unclear.filter(isBeforeProgram(parsed.operands))
  noteUnclear(walk, { ...call, program: options }, { unknown: parsed.unknown, unclear })
  const scripts: Arg[] = []
  let hasFile = false
  for (const { option, value, at } of parsed.used) {
    if (option.role === 'writeAlso') {
      noteWrite(
        walk,
        'file',
        value?.text ?? null,
        at,
        phrase('sh_writes_file', { program: `awk ${option.name}` }),
      )
    } else if (option.role === 'load') {
      if (value?.text === 'inplace')
        noteWrite(walk, 'file', null, at, phrase('sh_awk_rewrites_files'))
      else
        noteUnproven(walk, 'code', at, phrase('sh_loads_code', { program: `awk ${option.name}` }))
    } else if (option.name === '-f' || option.name === '--file') {
      hasFile = true
      if (value !== null && isStream(value)) {
        noteUnproven(walk, 'code', at, phrase('sh_awk_program_from_input'))
      }
    } else if ((option.name === '-e' || option.name === '--source') && value !== null) {
      scripts.push(value)
    }
  }
  const [first] = parsed.operands
  if (scripts.length === 0 && !hasFile && first !== undefined) scripts.push(first)
  if (hasFile)
    noteUnproven(walk, 'runner', call.at, phrase('sh_script_by_name', { program: 'awk' }))
  let isQuiet = !hasFile && parsed.unknown.length === 0
  for (const arg of call.args) {
    // Such a name is a connection, and ARGV names the files that are read.
    if (!/\/inet|\bARGV\b/.test(arg.shape)) continue
    isQuiet = false
    if (arg.shape.includes('/inet')) reaches(walk, call, 'network')
    noteUnproven(walk, 'code', arg, phrase('sh_awk_program_not_understood'))
  }
  for (const script of scripts) if (!readScript(walk, script)) isQuiet = false
  return isQuiet ? 'read' : 'other'
}

/** Behind the program come files, which awk does not take for options. */
function isBeforeProgram(operands: readonly Arg[]): (arg: Arg) => boolean {
  return (arg) => !operands.slice(1).includes(arg)
}

/** It may read the environment from a file of the process, named as it is or put together. */
const opensProcess = /\/proc|\/dev\/fd|environ|SYMTAB|getline[^;}\n]*<\s*[^"\s]/

function readScript(walk: Walk, script: Arg): boolean {
  const text =
    script.text ?? (script.kind === kinds.number ? script.shape.replaceAll('\0', '1') : null)
  if (text === null) {
    noteUnproven(walk, 'code', script, phrase('sh_awk_program_computed'))
    return false
  }
  const found = text.length > 8192 ? null : readAwkScript(text)
  // Some awks take `system` without brackets, and run each line.
  if (found === null || found.loads || /\bsystem\b(?!\s*\()/.test(text)) {
    noteUnproven(walk, 'code', script, phrase('sh_awk_program_not_understood'))
    return false
  }
  if (found.readsEnvironment || opensProcess.test(text))
    noteVariable(walk, null, script, phrase('sh_awk_reads_environ'))
  for (const name of found.variables) noteVariable(walk, name, script)
  let acts = false
  for (const path of found.reads) {
    noteNamedFile(walk, path, script)
    // To gawk some names are connections.
    if (path === null) {
      acts = true
      noteUnproven(walk, 'code', script, phrase('sh_may_open_connection'))
    }
  }
  // What it starts gets the environment that the program has made.
  if (found.runs.length > 0 && /ENVIRON|SYMTAB/.test(text)) {
    noteUnproven(walk, 'code', script, phrase('sh_awk_program_not_understood'))
    return false
  }
  for (const path of found.writes) {
    if (path !== null && (isSink(path) || path === '-')) continue
    acts = true
    noteWrite(walk, 'file', path, script, phrase('sh_writes_file', { program: 'awk' }))
  }
  for (const command of found.runs) {
    if (command === null) {
      acts = true
      noteUnproven(walk, 'code', script, phrase('sh_awk_runs_command_computed'))
    } else {
      // What it prints, or its own input, is what the command reads.
      const fed = { ...walk, stdin: { kind: 'unknown' } as const }
      runCommandLine(fed, { ...script, text: command, verbatim: -1 }, script)
    }
  }
  return !acts
}
