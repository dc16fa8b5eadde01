import { phrase } from '../../base/text/phrase.ts'
import { noteUnknown, noteUnproven, noteWrite, type Walk } from '../context.ts'
import type { CommandKind, Span } from '../findings.ts'
import { noteSignal } from '../guarded.ts'
import { anything, kinds } from '../scope.ts'
import { staysHere } from '../workspace-files.ts'
import type { Builtin, BuiltinCall } from './builtin.ts'

const steer: Builtin = () => 'steer'
const read: Builtin = () => 'read'

function named(names: string, builtin: Builtin): [string, Builtin][] {
  return names.split(' ').map((name) => [name, builtin])
}

function hasOption(call: BuiltinCall, letters: RegExp): boolean {
  for (const { shape } of call.args) {
    if (shape === '--' || !/^[-+]./.test(shape)) return false
    if (letters.test(shape)) return true
  }
  return false
}

/** Builtins that run no code and set no variables. */
export const plainBuiltins: readonly [string, Builtin][] = [
  ...named('cd pushd popd', goElsewhere),
  ...named('true false : pwd echo exit break continue return', steer),
  ...named('type help dirs times umask caller logout fg bg', read),
  ['ulimit', readLimits],
  ...named('unalias complete compopt', read),
  ['jobs', listJobs],
  ['shift', shiftWords],
  ['set', setOptions],
  ['shopt', setShellOptions],
  ['history', readHistory],
  ['hash', readHash],
  ['enable', enableBuiltin],
  ['bind', bindKeys],
  ['disown', disown],
  ['kill', kill],
]

function goElsewhere(walk: Walk, call: BuiltinCall): CommandKind {
  const [target] = call.args
  if (!staysHere(walk, target)) walk.scope.moved = true
  const isHomeOrBack = target === undefined || target.text === '-'
  if (call.name === 'cd' && isHomeOrBack) {
    noteUnproven(walk, 'file', call.at, phrase('sh_file_not_of_workspace'))
  }
  return call.name === 'cd' ? 'steer' : 'read'
}

/** `jobs -x` runs a command in the place of showing jobs. */
function listJobs(walk: Walk, call: BuiltinCall): CommandKind {
  const option = call.args.findIndex(({ shape }) => /^-\w*x|\0/.test(shape))
  if (option !== -1) walk.runArgs(walk, call.args.slice(option + 1), call.at)
  return 'read'
}

function shiftWords(walk: Walk): CommandKind {
  walk.scope.positional = null
  return 'steer'
}

function setOptions(walk: Walk, call: BuiltinCall): CommandKind {
  if (call.args.length === 0) {
    const message = phrase('sh_set_prints_every_variable')
    walk.notes.environment.push({ names: null, ...spanOfCall(call), message })
    return 'steer'
  }
  // `set $x` and `set *` may turn out to be options, up to the first word that is none.
  const first = call.args.find(({ text }) => text === null || !/^[-+]\w/.test(text))
  if (first !== undefined && first.text === null && first.kind > kinds.number) {
    noteOption(walk, first, 'set')
  }
  if (call.args.some(({ shape }) => /^-\w*k|^keyword$/.test(shape))) {
    noteUnknown(walk, 'code', call.at, phrase('sh_set_k_makes_arguments'))
  }
  if (call.args.some(({ shape }) => /^-\w*a|^allexport$/.test(shape))) {
    noteUnproven(walk, 'variable', call.at, phrase('sh_unknown_variable', { name: 'set -a' }))
  }
  if (call.args.some(({ shape }) => shape === 'posix' || shape === 'expand_aliases')) {
    walk.notes.expandsAliases = true
  }
  // With `history` later lines are rewritten from earlier ones.
  const odd = call.args.find(({ shape }) => /^[-+]\w*H|^hist/.test(shape))
  if (odd !== undefined) noteOption(walk, odd, 'set')
  if (call.args.some(({ shape }) => !/^[-+]/.test(shape) || shape === '--' || shape === '-')) {
    walk.scope.positional = null
  }
  return 'steer'
}

function setShellOptions(walk: Walk, call: BuiltinCall): CommandKind {
  for (const arg of call.args) {
    if (arg.text === null) noteUnknown(walk, 'option', arg, phrase('sh_computed_shell_option'))
    else if (arg.text === 'expand_aliases') walk.notes.expandsAliases = true
    else if (!/^-[supqo]+$/.test(arg.text) && !usualOptions.has(arg.text)) {
      noteOption(walk, arg, 'shopt')
    }
    // What the end of a pipeline sets then holds for the commands after it.
    else if (arg.text === 'lastpipe') {
      noteUnproven(walk, 'code', arg, phrase('sh_lastpipe'))
    }
  }
  return 'read'
}

function noteOption(walk: Walk, at: Span, program: string): void {
  noteUnproven(walk, 'option', at, phrase('sh_unknown_option', { program }))
}

/** Options of the shell that change which files a pattern names, and no more. */
const usualOptions: ReadonlySet<string> = new Set(
  (
    'nullglob failglob dotglob globstar extglob nocaseglob nocasematch inherit_errexit lastpipe ' +
    'checkwinsize globasciiranges expand_aliases'
  ).split(' '),
)

/** Asking for a limit reads; another one may let a program leave its memory behind in a file. */
function readLimits(walk: Walk, call: BuiltinCall): CommandKind {
  const set = call.args.find(({ shape }) => !/^-[a-zA-Z]+$/.test(shape))
  if (set === undefined) return 'read'
  noteOption(walk, set, 'ulimit')
  return 'other'
}

function readHistory(walk: Walk, call: BuiltinCall): CommandKind {
  if (hasOption(call, /[spcdrn]/)) noteOption(walk, call.at, 'history')
  // Clearing the list of a shell that ends with this command changes nothing.
  if (!hasOption(call, /[wa]/)) return 'read'
  const path = call.args[1]?.text ?? null
  noteWrite(walk, 'file', path, call.at, phrase('sh_history_writes_file'))
  return 'other'
}

function readHash(walk: Walk, call: BuiltinCall): CommandKind {
  if (!hasOption(call, /p/)) return 'read'
  const name = call.args.at(-1)?.text ?? ''
  const message = phrase('sh_hash_p_makes_another', { name })
  walk.notes.takeovers.push({ how: 'alias', name, ...spanOfCall(call), message })
  const path = call.args.at(-2)?.text ?? null
  if (path === null) noteUnknown(walk, 'code', call.at, message)
  else noteUnknown(walk, 'code', call.at, phrase('sh_hash_p_makes_another_path', { name, path }))
  return 'other'
}

function enableBuiltin(walk: Walk, call: BuiltinCall): CommandKind {
  if (hasOption(call, /f/)) noteUnknown(walk, 'code', call.at, phrase('sh_enable_f_loads_code'))
  else if (call.args.length > 0) {
    const message = phrase('sh_enable_changes_what_name')
    walk.notes.takeovers.push({ how: 'alias', name: '', ...spanOfCall(call), message })
  }
  return 'other'
}

function bindKeys(walk: Walk, call: BuiltinCall): CommandKind {
  if (hasOption(call, /[xf]/)) noteUnknown(walk, 'code', call.at, phrase('sh_bind_can_run_code'))
  return 'read'
}

function disown(walk: Walk, call: BuiltinCall): CommandKind {
  const message = phrase('sh_disown_keeps_work_running')
  walk.notes.background.push({ ...spanOfCall(call), message })
  return 'other'
}

function kill(walk: Walk, call: BuiltinCall): CommandKind {
  noteSignal(walk, 'kill', call.args, call.at)
  if (call.args[0]?.text === '-l') return 'read'
  return 'other'
}

export function spanOfCall(call: BuiltinCall): { start: number; end: number } {
  return { start: call.at.start, end: call.at.end }
}

/** After something that may set any variable, nothing is known. */
export function forgetAll(walk: Walk): void {
  walk.scope.anyWasSet = true
  for (const name of walk.scope.values.keys()) walk.scope.values.set(name, anything)
}
