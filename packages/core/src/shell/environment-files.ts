import { phrase } from '../base/text/phrase.ts'
import { type Arg, noteVariable, type Walk } from './context.ts'

/**
 * `/proc/PID/environ` holds every variable of a process (SH-9). A glob, or a computed piece in
 * the path, may name it as well; so may `environ` alone after `cd /proc/self`.
 */
export function noteEnvironmentFile(walk: Walk, arg: Arg): void {
  const { shape } = arg
  const isProc = /^\/+proc/.test(shape) || shape.includes('/proc/')
  // `/dev/fd` is a link into /proc, and a pattern in front may stand for it.
  const isHidden = /^\/+[^/]*[*?[]/.test(shape)
  const above = /^\/+([^/]*)/.exec(shape)?.[1] ?? ''
  // A script of sed or awk may name the file in its midst.
  const isDevice = /\/dev\/.*\.\./s.test(shape)
  if (isDevice || (isHidden && couldBe(above, shape.includes('..') ? 'dev' : 'proc'))) {
    note(walk, arg)
    return
  }
  if (!isProc) {
    if (shape.startsWith('-')) return
    const last = lastPart(shape)
    const isIt = walk.notes.mentionsProc ? couldBe(last, 'environ') : last === 'environ'
    if (isIt && shape !== '\0') note(walk, arg)
    return
  }
  const segments = shape.split('/').filter((part) => part !== '' && part !== '.')
  const from = segments.indexOf('proc')
  const below = segments.slice(from + 1)
  // Tools that descend, such as `grep -r`, reach it from every folder above.
  if (below.length === 0 || (below.length === 1 && isProcess(below[0] ?? ''))) {
    if (shape !== '/proc/self/exe') note(walk, arg)
    return
  }
  if (couldBe(below.at(-1) ?? '', 'environ')) note(walk, arg)
}

const searching = /^(?:[efz]?grep|rg|ag|ack|ugrep|tar|diff)$/

/** A search from the root reads what lies in /proc as well. */
export function noteSearchOfAll(walk: Walk, name: string, arg: Arg): void {
  if (searching.test(name)) note(walk, arg)
}

function note(walk: Walk, arg: Arg): void {
  noteVariable(walk, null, arg, phrase('sh_reads_environment_process_from'))
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

function isProcess(part: string): boolean {
  return /^(?:self|thread-self|\d+)$/.test(part) || /[\0*?[]/.test(part)
}

/** Whether a pattern with `*`, `?`, `[…]` and computed pieces can match a name. */
function couldBe(pattern: string, name: string): boolean {
  if (!/[\0*?[{(]/.test(pattern)) return pattern === name
  const literal = /^[^\0*?[{(]*/.exec(pattern)?.[0] ?? ''
  return name.startsWith(literal)
}
