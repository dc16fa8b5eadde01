/** A place in a text where somebody writes: a name, or the value behind one. */
export interface Cursor {
  readonly path: readonly (string | number)[]
  readonly isName: boolean
  /** Where the word begun at the cursor starts. */
  readonly from: number
}

/**
 * Where somebody writes in a YAML text, by its indentation alone: while a line is being written the
 * text can often not be parsed.
 */
export function yamlCursor(text: string, offset: number): Cursor {
  const before = text.slice(0, offset)
  const lines = before.split('\n')
  const line = lines.pop() ?? ''
  const word = /[\w$./-]*$/.exec(line)?.[0] ?? ''
  const from = offset - word.length
  const item = /^( *)- +(.*)$/.exec(line)
  if (item !== null) {
    const parents = parentsOf(lines, (item[1]?.length ?? 0) + 1)
    return { path: [...parents, 0], isName: false, from }
  }
  const indent = /^ */.exec(line)?.[0].length ?? 0
  const parents = parentsOf(lines, indent)
  const own = /^ *([^\s:#][^:#]*): +(.*)$/.exec(line)
  if (own === null) return { path: parents, isName: true, from }
  const path = [...parents, unquoted(own[1] ?? '')]
  return flowCursor(path, own[2] ?? '', from)
}

/** Inside `{ … }` or `[ … ]` on one line, which is as deep as people nest there. */
function flowCursor(path: readonly string[], rest: string, from: number): Cursor {
  const open = /^([[{])([^\]}]*)$/.exec(rest)
  if (open === null) return { path, isName: false, from }
  if (open[1] === '[') return { path: [...path, 0], isName: false, from }
  const part = (open[2] ?? '').split(',').at(-1) ?? ''
  const member = /^ *([^:]+): +/.exec(part)?.[1]
  if (member === undefined) return { path, isName: true, from }
  return { path: [...path, unquoted(member)], isName: false, from }
}

function parentsOf(lines: readonly string[], below: number): string[] {
  const parents: string[] = []
  let limit = below
  for (const line of lines.toReversed()) {
    const named = /^( *)("[^"]*"|'[^']*'|[^\s#:][^:#]*):(?:\s*(?:#.*)?|\s+[|>].*)$/.exec(line)
    if (named === null) continue
    const indent = named[1]?.length ?? 0
    if (indent >= limit) continue
    parents.unshift(unquoted(named[2] ?? ''))
    limit = indent
    if (indent === 0) break
  }
  return parents
}

function unquoted(name: string): string {
  return name.trim().replace(/^(["'])(.*)\1$/, '$2')
}
