import { parse } from 'unbash'
import { beyondBounds, shellLimits } from './bounds.ts'
import { type Arg, charge, newNotes, noteUnknown, type Walk } from './context.ts'
import type { ShellFindings, Span } from './findings.ts'
import { compilePrograms, type ProgramTable } from './programs/table.ts'
import { type Kind, kinds, newScope } from './scope.ts'
import { runCommand } from './simple-command.ts'
import { walkScript } from './walk.ts'
import { wholeCommand } from './whole.ts'
import { addParts, resolveSingle } from './words.ts'

export interface ShellOptions {
  /** Entries of the configuration, compiled once with `compilePrograms`. */
  readonly programs?: ProgramTable
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
      noteUnknown(walk, 'syntax', whole(command), 'an empty or too long list of words')
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
  if (problem !== null) {
    noteUnknown(walk, 'syntax', at, problem)
  } else {
    // The parser and this analysis read hostile text; an exception of theirs must deny (SH-1).
    try {
      words = look(walk)
      if (notes.expandsAliases && notes.definesAlias !== null) {
        const message = 'an alias that later words are replaced by'
        noteUnknown(walk, 'code', notes.definesAlias, message)
      }
      if (notes.evaluatesText !== null && notes.hasSubscriptText) {
        noteUnknown(walk, 'code', notes.evaluatesText, 'arithmetic may run text of this command')
      }
    } catch (error) {
      const message = error instanceof Error ? error.message : 'the analysis failed'
      noteUnknown(walk, 'syntax', at, message)
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
    code: notes.code,
    unknowns: notes.unknowns,
    background: notes.background,
    guard: notes.guard,
  }
}

function newWalk(source: string, options: ShellOptions): Walk {
  return {
    notes: newNotes(source),
    programs: options.programs ?? noPrograms,
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
    noteUnknown(walk, 'code', at, 'code that is not read here')
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
