import { phrase } from '../../base/text/phrase.ts'
import {
  type Arg,
  noteUnknown,
  noteUnproven,
  noteVariable,
  noteWrite,
  type Walk,
} from '../context.ts'
import type { CommandKind } from '../findings.ts'
import { applyEntry } from '../programs/apply.ts'
import type { Call } from '../programs/call.ts'
import { noteOptions, noteUnclear } from '../programs/effects.ts'
import { parseOptions } from '../programs/options.ts'
import { anything, fedValue, kinds, type Stdin } from '../scope.ts'

/** xargs puts words from its input behind the command, or in place of a mark. */
export function readXargs(walk: Walk, call: Call): CommandKind {
  const parsed = parseOptions(call.program, call.args)
  const unclear = parsed.unclear.filter((arg) => !parsed.operands.includes(arg))
  noteUnclear(walk, call, { unknown: parsed.unknown, unclear })
  let mark: string | null = null
  let isFile = false
  for (const { option, value } of parsed.used) {
    if (option.name === '-I' || option.name === '-i' || option.name === '--replace') {
      mark = value?.text ?? '{}'
    }
    if (option.name === '-a' || option.name === '--arg-file') isFile = true
  }
  const added = isFile ? anything : fedValue(walk.stdin)
  const { operands } = parsed
  const args: Arg[] = []
  for (const operand of operands) {
    args.push(mark === null ? operand : marked(operand, mark, added.kind))
  }
  const last = operands.at(-1) ?? { start: call.at.start, end: call.at.end }
  const extra: Arg = {
    ...added,
    start: last.start,
    end: last.end,
    splits: true,
    verbatim: -1,
    process: '',
  }
  if (mark === null) args.push(extra)
  const kind = parsed.unknown.length === 0 ? 'read' : 'other'
  if (operands.length === 0) return kind
  // With -a the command keeps the input of xargs itself.
  const stdin: Stdin = isFile ? walk.stdin : { kind: 'empty' }
  walk.runArgs({ ...walk, via: 'program', stdin }, args, call.at)
  return kind
}

function marked(arg: Arg, mark: string, kind: Arg['kind']): Arg {
  if (mark === '' || arg.text === null || !arg.text.includes(mark)) return arg
  const shape = arg.text.replaceAll(mark, '\0')
  return { ...arg, text: null, shape, kind: shape === '\0' ? kind : kinds.any, verbatim: -1 }
}

/** `env -S` splits one string into a command line of its own. */
export function readEnv(walk: Walk, call: Call): CommandKind {
  const { args } = call
  const at = args.findIndex((arg) => /^-[a-zA-Z0]*S|^--s(?:p(?:l.*)?)?(?:=|$)/.test(arg.shape))
  const firstOperand = args.findIndex((arg) => !arg.shape.startsWith('-'))
  if (at !== -1 && (firstOperand === -1 || at < firstOperand || isValueOf(args, at))) {
    const arg = args[at] as Arg // The index is inside the list.
    const equals = arg.shape.startsWith('--') ? arg.shape.indexOf('=') : arg.shape.indexOf('S')
    const isGlued = equals !== -1 && equals < arg.shape.length - 1
    const text = isGlued ? arg.text?.slice(equals + 1) : args[at + 1]?.text
    // Options of its own may stand in there as well.
    if (text == null || /[\\$'"#]|(?:^|\s)-/.test(text)) {
      noteUnknown(walk, 'code', arg, phrase('sh_env_s_with_text'))
      return 'other'
    }
    const words = text.split(/[ \t\n\v\f\r]+/).filter((word) => word !== '')
    const made = words.map((word) => ({ ...arg, text: word, shape: word, verbatim: -1 }))
    const rest = args.slice(isGlued ? at + 1 : at + 2)
    return readEnv(walk, { ...call, args: [...args.slice(0, at), ...made, ...rest] })
  }
  const moves = args.some(({ shape }) => /^(?:-C|--chdir)/.test(shape))
  const scope = moves ? { ...walk.scope, moved: true } : walk.scope
  return applyEntry({ ...walk, scope }, call)
}

function isValueOf(args: readonly Arg[], at: number): boolean {
  return args.slice(0, at).every((arg, index) => {
    const before = args[index - 1]?.shape ?? ''
    return arg.shape.startsWith('-') || /^-[uC]$/.test(before)
  })
}

const fdRuns = /^(?:-[a-zA-Z0]*[xX]|--exec(?:-batch)?)$/

/** fd runs a command per match behind -x, or one for all behind -X; `;` ends each. */
export function readFd(walk: Walk, call: Call): CommandKind {
  const own: Arg[] = []
  for (let at = 0; at < call.args.length; at++) {
    const arg = call.args[at] as Arg // The index is inside the list.
    if (!fdRuns.test(arg.shape)) {
      if (/^-[a-zA-Z0]*[xX].|^--exec/.test(arg.shape)) {
        noteUnknown(walk, 'code', arg, phrase('sh_fd_starts_program'))
      }
      own.push(arg)
      continue
    }
    const end = call.args.findIndex((each, index) => index > at && each.text === ';')
    const words = call.args
      .slice(at + 1, end === -1 ? undefined : end)
      .map(
        (word): Arg =>
          word.text?.includes('{') ? { ...word, text: null, shape: '\0', kind: kinds.path } : word,
      )
    walk.runArgs({ ...walk, via: 'program' }, words, call.at)
    // It puts names together in ways of its own.
    noteUnproven(walk, 'code', arg, phrase('sh_fd_starts_program'))
    at = end === -1 ? call.args.length : end
  }
  return applyEntry(walk, { ...call, args: own })
}

/** flock makes its lock file; on a number it locks a descriptor that is open already. */
export function readFlock(walk: Walk, call: Call): CommandKind {
  const parsed = parseOptions(call.program, call.args)
  noteUnclear(walk, call, parsed)
  const outcome = noteOptions(walk, call, parsed.used)
  if (outcome.isQuiet) return 'read'
  const [file, ...rest] = parsed.operands
  const isDescriptor = rest.length === 0 && /^\d+$/.test(file?.text ?? '')
  if (file === undefined || isDescriptor) return 'read'
  noteWrite(walk, 'file', file.text, file, phrase('sh_flock_makes_lock_file'))
  if (rest[0]?.text === '-c' && rest[1]?.text != null) {
    walk.runText({ ...walk, depth: walk.depth + 1 }, rest[1].text, rest[1], rest[1].verbatim)
  } else if (rest.length > 0) {
    walk.runArgs({ ...walk, via: 'program' }, rest, call.at)
  }
  return 'other'
}

/** printenv prints the variables it is given, or all of them. */
export function readPrintenv(walk: Walk, call: Call): CommandKind {
  const names = call.args.filter((arg) => !arg.shape.startsWith('-'))
  if (call.args.some((arg) => /^--(?:help|version)$/.test(arg.shape))) return 'read'
  if (names.length === 0)
    noteVariable(walk, null, call.at, phrase('sh_printenv_prints_every_variable'))
  for (const name of names) noteVariable(walk, name.text, name)
  return 'read'
}

/** The BSD letter e, or E on a Mac, makes ps show the environment of processes. */
export function readPs(walk: Walk, call: Call): CommandKind {
  for (const [index, arg] of call.args.entries()) {
    const isValue = /^(?:-\w*[oCuUpgtGsN]|--\w+)$/.test(call.args[index - 1]?.shape ?? '')
    if (isValue && !arg.shape.includes('environ')) continue
    if (arg.text === null) {
      if (arg.kind > kinds.number)
        noteVariable(walk, null, arg, phrase('sh_ps_with_computed_options'))
    } else if (
      (/^[a-zA-Z]+$/.test(arg.text) && arg.text.includes('e')) ||
      /^-[a-zA-Z]*E/.test(arg.text)
    ) {
      noteVariable(walk, null, arg, phrase('sh_ps_shows_environment_processes'))
    } else if (/environ/.test(arg.text)) {
      noteVariable(walk, null, arg, phrase('sh_ps_shows_environment_processes'))
    }
  }
  return 'read'
}
