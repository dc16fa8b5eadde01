/**
 * Why a glob can match no path of a workspace, or undefined. Paths are relative and use `/`
 * (WF-30), so a pattern that is not would stay silent for ever.
 */
export function globFault(pattern: string): string | undefined {
  if (pattern.trim() === '') return 'the pattern is empty'
  if (pattern.includes('\\')) return 'paths are written with "/", never with a backslash'
  if (pattern.startsWith('/') || /^[A-Za-z]:/.test(pattern)) {
    return 'paths are relative to the workspace; take the beginning away'
  }
  if (pattern.startsWith('!')) return 'a pattern cannot be turned round with "!"'
  if (pattern.split('/').includes('..')) return 'paths stay in the workspace; ".." leaves it'
  if (pattern.startsWith('./')) return 'take "./" away: paths have no dot in front'
  return bracketFault(pattern)
}

function bracketFault(pattern: string): string | undefined {
  const open: string[] = []
  for (const character of pattern) {
    const inClass = open.at(-1) === '['
    if (character === ']' && inClass) open.pop()
    else if (inClass) continue
    else if (character === ']') return 'a "]" has no "[" before it'
    else if (character === '[' || character === '{') open.push(character)
    else if (character === '}' && open.pop() !== '{') return 'a "}" has no "{" before it'
  }
  const left = open.at(-1)
  return left === undefined ? undefined : `a "${left}" is not closed`
}
