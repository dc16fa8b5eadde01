import { noteUnknown, noteWrite, type Walk } from '../context.ts'
import type { CommandKind } from '../findings.ts'
import { noteSignal } from '../guarded.ts'
import { anything } from '../scope.ts'
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
  ...named('true false : cd pwd echo exit break continue return', steer),
  ...named('type help dirs pushd popd jobs times umask ulimit caller logout fg bg', read),
  ...named('unalias suspend complete compopt', read),
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

function shiftWords(walk: Walk): CommandKind {
  walk.scope.positional = null
  return 'steer'
}

function setOptions(walk: Walk, call: BuiltinCall): CommandKind {
  if (call.args.length === 0) {
    const message = 'set prints every variable'
    walk.notes.environment.push({ names: null, ...spanOfCall(call), message })
    return 'steer'
  }
  if (call.args.some(({ shape }) => /^-\w*k|^keyword$/.test(shape))) {
    noteUnknown(walk, 'code', call.at, 'set -k makes arguments into assignments')
  }
  if (call.args.some(({ shape }) => shape === 'posix' || shape === 'expand_aliases')) {
    walk.notes.expandsAliases = true
  }
  if (call.args.some(({ shape }) => !/^[-+]/.test(shape) || shape === '--' || shape === '-')) {
    walk.scope.positional = null
  }
  return 'steer'
}

function setShellOptions(walk: Walk, call: BuiltinCall): CommandKind {
  for (const arg of call.args) {
    if (arg.text === null) noteUnknown(walk, 'option', arg, 'a computed shell option')
    else if (arg.text === 'expand_aliases') walk.notes.expandsAliases = true
  }
  return 'read'
}

function readHistory(walk: Walk, call: BuiltinCall): CommandKind {
  // Clearing the list of a shell that ends with this command changes nothing.
  if (!hasOption(call, /[wa]/)) return 'read'
  const path = call.args[1]?.text ?? null
  noteWrite(walk, 'file', path, call.at, 'history writes a file')
  return 'other'
}

function readHash(walk: Walk, call: BuiltinCall): CommandKind {
  if (!hasOption(call, /p/)) return 'read'
  const name = call.args.at(-1)?.text ?? ''
  const message = `hash -p makes ${name} another program`
  walk.notes.takeovers.push({ how: 'alias', name, ...spanOfCall(call), message })
  const path = call.args.at(-2)?.text ?? null
  if (path === null) noteUnknown(walk, 'code', call.at, message)
  else noteUnknown(walk, 'code', call.at, `${message}, ${path}`)
  return 'other'
}

function enableBuiltin(walk: Walk, call: BuiltinCall): CommandKind {
  if (hasOption(call, /f/)) noteUnknown(walk, 'code', call.at, 'enable -f loads code')
  else if (call.args.length > 0) {
    const message = 'enable changes what a name means'
    walk.notes.takeovers.push({ how: 'alias', name: '', ...spanOfCall(call), message })
  }
  return 'other'
}

function bindKeys(walk: Walk, call: BuiltinCall): CommandKind {
  if (hasOption(call, /[xf]/)) noteUnknown(walk, 'code', call.at, 'bind can run code')
  return 'read'
}

function disown(walk: Walk, call: BuiltinCall): CommandKind {
  const message = 'disown keeps work running on by itself'
  walk.notes.background.push({ ...spanOfCall(call), message })
  return 'other'
}

function kill(walk: Walk, call: BuiltinCall): CommandKind {
  noteSignal(walk, 'kill', call.args, call.at)
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
