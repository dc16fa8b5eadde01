import { own } from '../base/own.ts'
import { phrase } from '../base/text/phrase.ts'
import type { Arg, Walk } from './context.ts'
import { agents } from './entries/agents.ts'
import type { Span } from './findings.ts'

/**
 * Commands of ours that only look, by noun and verb. All others belong to a person, also those of
 * a later version (SH-17).
 */
const looking: Readonly<Record<string, readonly string[] | null>> = {
  help: null,
  schema: null,
  status: null,
  shell: ['check'],
  workflow: ['check', 'graph', 'list', 'show', 'test'],
  run: ['explain', 'history', 'list', 'show', 'verify', 'watch'],
}
const ours = /(?:^|\/)statewright(?:\.mjs)?$/

/** Another agent, or our own person's commands, started by name or through a package runner. */
export function noteGuarded(walk: Walk, base: string, args: readonly Arg[], at: Span): void {
  if (base === 'statewright') {
    noteOwn(walk, args, at)
    return
  }
  if (agents.programs.has(base) && !isAboutItself(args)) {
    noteAgent(walk, base, at)
    return
  }
  if (agents.runners.has(base)) {
    for (const [index, arg] of args.entries()) {
      const name = (arg.text ?? '').slice(0, 200).replace(/(?<=.)@[^/]*$/, '')
      if (agents.packages.has(name) || (agents.programs.has(name) && index < 4)) {
        noteAgent(walk, name, at)
        return
      }
      if (ours.test(name)) {
        noteOwn(walk, args.slice(index + 1), at)
        return
      }
    }
  }
  if (base === 'pkill' || base === 'killall' || base === 'skill' || base === 'killall5') {
    noteSignal(walk, base, args, at)
  }
  if (base === 'kill') noteSignal(walk, base, args, at)
}

function noteAgent(walk: Walk, name: string, at: Span): void {
  const message = phrase('sh_starts_agent', { program: name })
  walk.notes.guard.push({ code: 'agent_spawn', start: at.start, end: at.end, message })
}

function isAboutItself(args: readonly Arg[]): boolean {
  return args.length > 0 && args.every((arg) => /^(?:--version|-v|-V|--help|-h)$/.test(arg.shape))
}

function noteOwn(walk: Walk, args: readonly Arg[], at: Span): void {
  const [noun, verb] = args.filter((arg) => !arg.shape.startsWith('-'))
  if (noun === undefined) return
  const verbs = noun.text === null ? undefined : own(looking, noun.text)
  if (verbs === null || (verb?.text != null && verbs?.includes(verb.text) === true)) return
  const message = phrase('sh_command_statewright_person_not')
  walk.notes.guard.push({ code: 'self_protection', start: at.start, end: at.end, message })
}

const clients =
  'node statewright claude codex gemini opencode copilot cursor cursor-agent bwrap sh bash'

/** A signal that can reach us: everything, our group, our parent, or a name that matches us. */
export function noteSignal(walk: Walk, how: string, args: readonly Arg[], at: Span): void {
  const reaches = args.some((arg, index) => {
    const { shape } = arg
    if (how === 'kill') {
      if (index === 0 && /^-(?!1$)/.test(shape) && args.length > 1) return false
      if (/^-\d+$/.test(shape)) return index > 0 || shape === '-1'
      if (shape === '0' || shape === '1') return index > 0 || args.length === 1
      return arg.text === null && arg.kind > 1 && mentionsUs(walk.source)
    }
    if (shape.startsWith('-')) return false
    if (arg.text === null) return true
    const bare = arg.text.replace(/[^A-Za-z0-9_-]/g, '')
    return bare === '' || clients.includes(bare.toLowerCase()) || ours.test(arg.text)
  })
  const everybody =
    how === 'killall5' || (how !== 'kill' && args.some(({ shape }) => shape === '-u'))
  const parent = walk.source.includes('PPID') && how === 'kill'
  if (!reaches && !everybody && !parent) return
  const message = phrase('sh_may_end_guard_client', { how })
  walk.notes.guard.push({ code: 'self_protection', start: at.start, end: at.end, message })
}

function mentionsUs(source: string): boolean {
  return /statewright|pgrep|pidof|claude|codex/.test(source)
}
