import { phrase } from '../base/text/phrase.ts'
import { type Arg, noteUnknown, type Walk } from './context.ts'
import type { Span } from './findings.ts'

/** Code comes from standard input: it is read when it stands in the command, else refused. */
export function noteInput(walk: Walk, who: string, at: Span): void {
  const { stdin } = walk
  switch (stdin.kind) {
    case 'empty':
      return
    case 'text':
      walk.runText(
        { ...walk, stdin: { kind: 'empty' }, via: 'program', depth: walk.depth + 1 },
        stdin.text,
        stdin.at,
        stdin.verbatim,
      )
      return
    case 'paths':
    case 'names':
    case 'unknown':
      noteUnknown(walk, 'code', at, phrase('sh_runs_code_from_input', { who }))
      return
    default:
      stdin satisfies never
  }
}

/** A file that is whatever somebody put behind it: a descriptor or a process substitution. */
export function isStream(file: Arg): boolean {
  if (file.process !== '' || file.text === '-') return true
  return file.text !== null && /^\/(?:dev|proc)\//.test(file.text)
}

/** Code from such a file: only standard input is followed. */
export function noteStream(walk: Walk, who: string, file: Arg): void {
  const isInput =
    file.text !== null && /^(?:-|\/dev\/(?:stdin|fd\/0)|\/proc\/self\/fd\/0)$/.test(file.text)
  if (isInput) noteInput(walk, who, file)
  else noteUnknown(walk, 'code', file, phrase('sh_runs_code_from_stream', { who }))
}
