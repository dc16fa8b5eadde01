/**
 * A path as rules compare it (WF-30): relative to the workspace root with `/` when it lies inside,
 * absolute when it does not. The work is on the text alone; links were followed by the caller.
 */
export function workspacePath(path: string, root: string): string {
  const isWindows = /^(?:[A-Za-z]:[\\/]|\\\\)/.test(root)
  const base = absoluteParts(isWindows ? forwardSlashes(root) : root)
  const given = isWindows ? forwardSlashes(path) : path
  const parts = isAbsolute(given, isWindows)
    ? absoluteParts(given)
    : climb([...base], given.split('/'))
  const inside = base.every((part, index) => samePart(part, parts[index], isWindows))
  if (inside) return parts.slice(base.length).join('/') || '.'
  return isWindows ? parts.join('/') : `/${parts.join('/')}`
}

/** On other systems a backslash is an ordinary character of a file's name and is kept. */
function forwardSlashes(path: string): string {
  return path.replaceAll('\\', '/')
}

function isAbsolute(path: string, isWindows: boolean): boolean {
  return path.startsWith('/') || (isWindows && /^[A-Za-z]:\//.test(path))
}

function absoluteParts(path: string): string[] {
  return climb([], path.split('/'))
}

/** Follows parts from a place. Nothing lies above the root, so `..` stops there. */
function climb(from: string[], parts: readonly string[]): string[] {
  for (const part of parts) {
    if (part === '' || part === '.') continue
    if (part === '..') from.pop()
    else from.push(part)
  }
  return from
}

function samePart(left: string, right: string | undefined, isWindows: boolean): boolean {
  return isWindows ? left.toLowerCase() === right?.toLowerCase() : left === right
}
