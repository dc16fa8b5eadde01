import { phrase } from '../../base/text/phrase.ts'
import { type Arg, charge, noteUnknown, noteUnproven, type Walk } from '../context.ts'
import type { CommandKind } from '../findings.ts'
import { isStream, noteStream } from '../input-code.ts'
import { forgetWhatChanges, fork, watchChanges } from '../scope.ts'
import type { Builtin, BuiltinCall } from './builtin.ts'
import { readLetters } from './letters.ts'
import { spanOfCall } from './plain.ts'

/** Builtins that run code which is given to them. */
export const codeBuiltins: readonly [string, Builtin][] = [
  ['eval', evalWords],
  ['.', sourceFile],
  ['source', sourceFile],
  ['trap', setTrap],
  ['exec', execProgram],
  ['command', runPlain],
  ['builtin', runPlain],
  ['alias', defineAlias],
  ['fc', rerun],
  ['compgen', complete],
]

function evalWords(walk: Walk, call: BuiltinCall): CommandKind {
  const args = call.args[0]?.text === '--' ? call.args.slice(1) : call.args
  const texts: string[] = []
  for (const arg of args) {
    if (arg.text === null) {
      noteUnknown(walk, 'code', arg, phrase('sh_eval_text_computed'))
      return 'other'
    }
    texts.push(arg.text)
  }
  const first = args[0]
  if (first === undefined) return 'other'
  const at = { start: first.start, end: args.at(-1)?.end ?? first.end }
  const verbatim = args.length === 1 ? first.verbatim : -1
  walk.runText({ ...walk, depth: walk.depth + 1 }, texts.join(' '), at, verbatim)
  return 'read'
}

/** A script by name is like a program; a stream or a substitution is code nobody has seen. */
function sourceFile(walk: Walk, call: BuiltinCall): CommandKind {
  const file = call.args[0]?.text === '--' ? call.args[1] : call.args[0]
  if (file === undefined) return 'other'
  // A pattern may name the standard input as well: `. /dev/stdi*`.
  if (file.text === null && /[*?[]/.test(file.shape)) {
    noteUnknown(walk, 'code', file, phrase('sh_runs_files_pattern_names'))
  }
  if (file.process !== '') noteUnknown(walk, 'code', file, phrase('sh_runs_output_command'))
  else if (isStream(file)) noteStream(walk, 'the shell', file)
  return 'other'
}

function setTrap(walk: Walk, call: BuiltinCall): CommandKind {
  const args = call.args[0]?.text === '--' ? call.args.slice(1) : call.args
  const code = args[0]
  if (code === undefined || /^-[lpP]+$/.test(code.shape)) return 'read'
  if (code.text === '-' || code.text === '') return 'read'
  if (code.text === null) {
    noteUnknown(walk, 'code', code, phrase('sh_trap_whose_code_computed'))
    return 'other'
  }
  // It runs later, when variables may have changed.
  const scope = { ...fork(walk.scope), positional: null }
  charge(walk, scope.values.size * (1 + (walk.source.length >> 12)))
  forgetWhatChanges(scope, walk.source)
  const changed = watchChanges(scope)
  walk.runText({ ...walk, scope, depth: walk.depth + 1 }, code.text, code, code.verbatim)
  const isOnlyAtEnd = args.slice(1).every((signal) => /^(?:EXIT|0)$/i.test(signal.text ?? ''))
  if (!isOnlyAtEnd && changed().length > 0) {
    noteUnknown(walk, 'code', code, phrase('sh_trap_sets_variables_between'))
  }
  return 'read'
}

function execProgram(walk: Walk, call: BuiltinCall): CommandKind {
  const rest = skipOptions(call.args, /^-[cl]*a$/)
  // Some programs do what their name says, and it is another one then.
  const renamed = call.args.find(({ shape }) => /^-[cl]*a/.test(shape))
  if (renamed !== undefined && rest.length > 0) {
    noteUnproven(walk, 'program', renamed, phrase('sh_unknown_program', { program: 'exec -a' }))
  }
  // Without a program its redirects stay, so that later commands read from there.
  if (rest.length === 0 && walk.stdin.kind !== 'empty') walk.scope.input = walk.stdin
  if (rest.length > 0) walk.runArgs({ ...walk, via: 'program' }, rest, call.at)
  return 'read'
}

/** `command` and `builtin` start what follows, without functions. */
function runPlain(walk: Walk, call: BuiltinCall): CommandKind {
  if (call.name === 'command' && /^-[pvV]*[vV]/.test(call.args[0]?.shape ?? '')) return 'read'
  const rest = skipOptions(call.args, null)
  if (rest.length === 0) return 'read'
  const scope = { ...walk.scope, functions: new Set<string>() }
  walk.runArgs({ ...walk, scope, via: 'shell' }, rest, call.at)
  // `command cd` goes elsewhere as well as `cd` does.
  if (scope.moved) walk.scope.moved = true
  return 'read'
}

function skipOptions(args: readonly Arg[], withValue: RegExp | null): readonly Arg[] {
  let at = 0
  while (at < args.length) {
    const shape = args[at]?.shape ?? ''
    if (shape === '--') return args.slice(at + 1)
    if (!/^-\w/.test(shape)) break
    at += withValue?.test(shape) ? 2 : 1
  }
  return args.slice(at)
}

function defineAlias(walk: Walk, call: BuiltinCall): CommandKind {
  for (const arg of call.args) {
    const equals = arg.shape.indexOf('=')
    if (equals < 1) continue
    const name = arg.shape.slice(0, equals)
    const message = phrase('sh_makes_alias', { name })
    walk.notes.definesAlias ??= arg
    walk.notes.takeovers.push({ how: 'alias', name, start: arg.start, end: arg.end, message })
    if (walk.notes.expandsAliases || arg.text === null) {
      noteUnknown(walk, 'code', arg, phrase('sh_alias_later_words_replaced'))
    } else {
      walk.runText({ ...walk, depth: walk.depth + 1 }, arg.text.slice(equals + 1), arg, -1)
    }
  }
  return 'other'
}

function rerun(walk: Walk, call: BuiltinCall): CommandKind {
  if (call.args.some((arg) => /^-\w*l/.test(arg.shape))) return 'read'
  noteUnknown(walk, 'code', call.at, phrase('sh_fc_runs_commands_from'))
  return 'other'
}

/** `compgen -C` runs a command and `-W` expands its text. */
function complete(walk: Walk, call: BuiltinCall): CommandKind {
  const { used, unclear } = readLetters(call.args, 'abcdefgjksuvDEI', 'oAGWFCXPSV')
  const isCode = used.some(({ letter, value }) => {
    if (letter === 'W') return value?.text == null || /[$`]/.test(value.text)
    return letter === 'C' || letter === 'F' || letter === 'V'
  })
  if (isCode || unclear !== undefined) {
    noteUnknown(walk, 'code', spanOfCall(call), phrase('sh_compgen_runs_code'))
  }
  return 'read'
}
