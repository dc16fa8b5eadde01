import { type ParsedScript, parse } from 'unbash'
import { type Phrase, phrase } from '../base/text/phrase.ts'
import { beyondBounds, shellLimits } from './bounds.ts'
import {
  type Arg,
  charge,
  type Notes,
  newNotes,
  noteUnknown,
  noteUnproven,
  tooMuch,
  type Walk,
} from './context.ts'
import type { ShellFindings, Span } from './findings.ts'
import { compilePrograms, type ProgramTable } from './programs/table.ts'
import { type Kind, kinds, newScope, type Workspace } from './scope.ts'
import { runCommand } from './simple-command.ts'
import { walkScript } from './walk.ts'
import { addParts, resolveSingle } from './words.ts'

export interface ShellOptions {
  /** Entries of the configuration, compiled once with `compilePrograms`. */
  readonly programs?: ProgramTable
  /** Where the command runs; without it every path counts as one of the workspace. */
  readonly workspace?: Workspace
  /** It is for PowerShell or cmd, whose language is not read: only words in it are seen (SH-2). */
  readonly notBash?: boolean
}

const noPrograms: ProgramTable = compilePrograms([])

/**
 * Tells what bash would do with a command. Never throws: whatever goes wrong is a finding that
 * denies where a rule restricts the shell (SH-1).
 */
export function analyzeShell(command: string, options: ShellOptions = {}): ShellFindings {
  return guarded(command, options, (walk) => {
    const script = parse(command)
    walkScript(walk, script)
    return wholeCommand(script, walk.notes)
  })
}

/** The same for a command that is given as a list of words, as some clients do. */
export function analyzeArgv(argv: readonly string[], options: ShellOptions = {}): ShellFindings {
  const command = argv.join(' ')
  return guarded(command, options, (walk) => {
    if (argv.length === 0 || argv.length > shellLimits.words) {
      noteUnknown(walk, 'syntax', whole(command), phrase('sh_empty_too_long_list'))
      return null
    }
    let start = 0
    const args = argv.map((text): Arg => {
      const at = start
      start += text.length + 1
      return argOf(text, { start: at, end: at + text.length })
    })
    runCommand({ ...walk, via: 'program' }, args, whole(command))
    return walk.notes.commands.length === 1 ? [...argv] : null
  })
}

function argOf(text: string, at: Span): Arg {
  const kind: Kind = kinds.text
  return { text, shape: text, kind, ...at, splits: false, verbatim: at.start, process: '' }
}

function whole(command: string): Span {
  return { start: 0, end: command.length }
}

function guarded(
  command: string,
  options: ShellOptions,
  look: (walk: Walk) => readonly string[] | null,
): ShellFindings {
  const walk = newWalk(command, options)
  const { notes } = walk
  const at = whole(command)
  let words: readonly string[] | null = null
  const problem = beyondBounds(command)
  if (options.notBash === true) noteUnknown(walk, 'syntax', at, phrase('sh_not_bash'))
  if (problem !== null) {
    noteUnknown(walk, 'syntax', at, problem)
  } else {
    // The parser and this analysis read hostile text; an exception of theirs must deny (SH-1).
    try {
      words = look(walk)
      if (notes.expandsAliases && notes.definesAlias !== null) {
        const message = phrase('sh_alias_later_words_replaced')
        noteUnknown(walk, 'code', notes.definesAlias, message)
      }
      if (notes.evaluatesText !== null) {
        // `a[$(rm f)]` as a number runs: what nobody knows may be that, from a file or the network.
        const note = notes.hasSubscriptText ? noteUnknown : noteUnproven
        note(walk, 'code', notes.evaluatesText, phrase('sh_arithmetic_may_run_text'))
      }
    } catch (error) {
      noteUnknown(walk, 'syntax', at, failure(error))
    }
  }
  return {
    command,
    whole: notes.unknowns.length > 0 ? null : words,
    commands: notes.commands,
    reads: notes.reads,
    writes: notes.writes,
    environment: notes.environment,
    takeovers: notes.takeovers,
    unproven: notes.unproven,
    reach: notes.reach,
    unknowns: notes.unknowns,
    background: notes.background,
    guard: notes.guard,
  }
}

function failure(error: unknown): Phrase {
  if (!(error instanceof Error)) return phrase('sh_analysis_failed')
  if (error.message === tooMuch) return phrase('sh_too_much')
  return phrase('sh_analysis_failed_at', { why: error.message })
}

function newWalk(source: string, options: ShellOptions): Walk {
  return {
    notes: newNotes(source),
    programs: options.programs ?? noPrograms,
    workspace: options.workspace,
    source,
    base: 0,
    within: null,
    depth: 0,
    scope: newScope(),
    stdin: { kind: 'empty' },
    via: 'shell',
    command: -1,
    resolveSingle,
    addParts,
    runScript: walkScript,
    runText,
    runArgs: (walk, args, at) => {
      if (args.length > 0) runCommand({ ...walk, depth: walk.depth + 1 }, args, at)
    },
  }
}

/** A script inside the script: its own text, and offsets as far as they can be mapped. */
function runText(walk: Walk, text: string, at: Span, verbatim: number): void {
  if (beyondBounds(text) !== null) {
    noteUnknown(walk, 'code', at, phrase('sh_code_not_read_here'))
    return
  }
  charge(walk, 10)
  const exact = verbatim !== -1 && walk.within === null
  walkScript(
    {
      ...walk,
      source: text,
      base: exact ? verbatim : 0,
      within: exact ? null : (walk.within ?? { start: at.start, end: at.end }),
      via: 'shell',
    },
    parse(text),
  )
}

/**
 * The words of a text that is exactly one simple command: no list, pipe, assignment, redirect,
 * background or wrapper, so that its exit status is the command's own.
 */
function wholeCommand(script: ParsedScript, notes: Notes): readonly string[] | null {
  const only = script.commands[0]
  if (script.commands.length !== 1 || only === undefined || only.background === true) return null
  const node = only.command
  if (node.type !== 'Command' || node.prefix.length > 0) return null
  if (node.suffix.some((part) => part.type !== 'Word' && !isHarmlessRedirect(part))) return null
  if (notes.commands.length !== 1 || notes.takeovers.length > 0) return null
  const words = notes.commands[0]?.words
  if (words === undefined || words.some((word) => word === null)) return null
  return words as readonly string[] // No word is null.
}

/** `2>&1` and `> /dev/null` leave the exit status as it is. */
function isHarmlessRedirect(part: { readonly type: string }): boolean {
  return part.type === 'Redirect'
}
