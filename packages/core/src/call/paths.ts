/**
 * A path as rules compare it (WF-30): relative to the workspace root with `/` when it lies inside,
 * absolute when it does not. The work is on the text alone; links were followed by the caller.
 */
export function workspacePath(path: string, root: string): string {
  const isWindows = /^(?:[A-Za-z]:[\\/]|\\\\)/.test(root)
  const base = absoluteSegments(isWindows ? forwardSlashes(root) : root)
  const given = isWindows ? forwardSlashes(path) : path
  const segments = isAbsolute(given, isWindows)
    ? absoluteSegments(given)
    : climb([...base], given.split('/'))
  const inside = base.every((part, index) => samePart(part, segments[index], isWindows))
  if (inside) return segments.slice(base.length).join('/') || '.'
  return isWindows ? segments.join('/') : `/${segments.join('/')}`
}

/** On other systems a backslash is an ordinary character of a file's name and is kept. */
function forwardSlashes(path: string): string {
  return path.replaceAll('\\', '/')
}

function isAbsolute(path: string, isWindows: boolean): boolean {
  return path.startsWith('/') || (isWindows && /^[A-Za-z]:\//.test(path))
}

function absoluteSegments(path: string): string[] {
  return climb([], path.split('/'))
}

/** Follows parts from a place. Nothing lies above the root, so `..` stops there. */
function climb(from: string[], segments: readonly string[]): string[] {
  for (const part of segments) {
    if (part === '' || part === '.') continue
    if (part === '..') from.pop()
    else from.push(part)
  }
  return from
}

function samePart(left: string, right: string | undefined, isWindows: boolean): boolean {
  return isWindows ? left.toLowerCase() === right?.toLowerCase() : left === right
}
