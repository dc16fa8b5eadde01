import { phrase } from '../../base/text/phrase.ts'
import { type Arg, noteUnknown, noteUnproven, type Walk } from '../context.ts'
import type { CommandKind } from '../findings.ts'
import { isStream, noteInput, noteStream } from '../input-code.ts'
import type { Call } from '../programs/call.ts'
import { asksForHelp } from '../programs/effects.ts'
import { mayBeOption } from '../programs/options.ts'
import { anything, newScope } from '../scope.ts'

const withValue = new Set(['--rcfile', '--init-file', '-o', '+o', '-O', '+O', '--emulate'])

/** Options that change nothing about what the code means, and read no start-up file of others. */
const plainOptions = /^[-+][ceuxflvh]+$|^--(?:noprofile|norc|posix|login)$/

/** A nested shell: `-c` text, a script by name, or code from its input (SH-2). */
export function readShell(walk: Walk, call: Call): CommandKind {
  const { args } = call
  if (asksForHelp(call)) return 'read'
  // It only looks whether the script can be parsed.
  if (args[0]?.text === '-n' && args.slice(1).every(({ shape }) => /^[^-+]/.test(shape))) {
    // Names that come from elsewhere may take the option back: `+n`.
    const open = args.slice(1).find((arg) => mayBeOption(arg) || /^[*?[]/.test(arg.shape))
    if (args.length > 1 && open === undefined) return 'read'
    const about = phrase('sh_may_become_option', { program: call.title })
    noteUnproven(walk, 'computed', open ?? call.at, about)
    return 'other'
  }
  let at = 0
  let takesCode = false
  let readsInput = false
  for (; at < args.length; at++) {
    const arg = args[at] as Arg // The index is inside the list.
    const { shape } = arg
    if (arg.text === null) {
      if (!shape.startsWith('-') && !shape.startsWith('\0')) break
      noteUnknown(walk, 'code', arg, phrase('sh_what_runs_computed', { title: call.title }))
      return 'other'
    }
    if (shape === '--' || shape === '-') {
      at++
      break
    }
    if (!/^[-+]./.test(shape)) break
    if (!plainOptions.test(shape) && !/^[-+]o$/.test(shape)) {
      noteUnproven(walk, 'option', arg, phrase('sh_unknown_option', { program: call.title }))
    }
    if (/^[-+][a-zA-Z]*c/.test(shape) && !shape.startsWith('--')) takesCode = true
    if (/^-[a-zA-Z]*s/.test(shape) && !shape.startsWith('--')) readsInput = true
    if (/^--(?:rcfile|init-file)/.test(shape)) {
      noteUnknown(walk, 'code', arg, phrase('sh_runs_start_up_file', { title: call.title, shape }))
    }
    if (args[at + 1]?.text === 'expand_aliases') walk.notes.expandsAliases = true
    if (withValue.has(shape)) at++
    else if (/^[-+][a-zA-Z]{2,}$/.test(shape)) at += shape.match(/o/gi)?.length ?? 0
  }
  const inner = nested(walk, args.slice(at + (takesCode ? 1 : 0)))
  const first = args[at]
  if (takesCode) {
    if (first === undefined) return 'other'
    if (first.text === null || first.splits) {
      noteUnknown(walk, 'code', first, phrase('sh_c_runs_text_computed', { title: call.title }))
      return 'other'
    }
    walk.runText(inner, first.text, first, first.verbatim)
    return 'read'
  }
  if (first === undefined || readsInput || isStream(first)) {
    const reading = { ...inner, stdin: walk.stdin }
    if (first !== undefined && !readsInput) noteStream(reading, call.title, first)
    else noteInput(reading, call.title, first ?? call.at)
    return 'other'
  }
  noteUnproven(walk, 'runner', call.at, phrase('sh_script_by_name', { program: call.title }))
  return 'other'
}

/** A new shell knows only what was exported, and its own arguments. */
function nested(walk: Walk, positional: readonly Arg[]): Walk {
  const scope = newScope()
  for (const name of walk.scope.values.keys()) scope.values.set(name, anything)
  if (positional.length > 0 && !positional.some((arg) => arg.splits)) {
    scope.positional = positional
  }
  return { ...walk, scope, depth: walk.depth + 1 }
}

/** Shells whose language we do not read. What they would run is walked as if it were bash. */
export function readOtherShell(walk: Walk, call: Call): CommandKind {
  const first = call.args[0]
  if (asksForHelp(call)) return 'read'
  const isScript = first !== undefined && !first.shape.startsWith('-') && !isStream(first)
  const message = phrase('sh_shell_whose_language_not', { title: call.title })
  noteUnproven(walk, isScript ? 'runner' : 'code', call.at, message)
  if (!isScript && likeBash.has(call.title)) return readShell(walk, call)
  return 'other'
}

const likeBash = new Set(['ash', 'ksh', 'mksh', 'zsh', 'rbash', 'posh', 'yash'])
