import { noteUnknown, type Walk } from './context.ts'
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
    case 'unknown':
      noteUnknown(walk, 'code', at, `${who} runs code from its input that cannot be read here`)
      return
    default:
      stdin satisfies never
  }
}
