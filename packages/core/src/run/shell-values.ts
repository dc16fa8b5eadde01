import type { CommandFinding, ShellFindings } from '../shell/findings.ts'
import { visibleWrites } from '../shell/questions.ts'

/**
 * What conditions read of a command (FC-17). A list is left out where the text does not tell all
 * of it: then it is unknown, which counts against the call.
 */
export function shellValues(shell: ShellFindings | undefined): Readonly<Record<string, unknown>> {
  if (shell === undefined) return nothing
  const isTold = shell.unknowns.length === 0
  return known({
    programs: isTold ? programsOf(shell) : undefined,
    reads: isTold ? readsOf(shell) : undefined,
    writes: isTold ? writesOf(shell) : undefined,
    hosts: isTold ? hostsOf(shell) : undefined,
    variables: isTold ? variablesOf(shell) : undefined,
  })
}

/** A call that is no command runs, reads and reaches nothing by one. */
const nothing = { programs: [], reads: [], writes: [], hosts: [], variables: [] } as const

function known(lists: Record<string, readonly string[] | undefined>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(lists).filter(([, list]) => list !== undefined))
}

function programsOf({ commands }: ShellFindings): readonly string[] | undefined {
  const names = commands.map(({ words }) => words[0])
  if (names.some((name) => typeof name !== 'string')) return undefined
  return unique(names.flatMap((name) => (typeof name === 'string' ? [baseName(name)] : [])))
}

function readsOf(shell: ShellFindings): readonly string[] | undefined {
  const hides = shell.unproven?.some(({ what }) => hidesReads.has(what)) === true
  if (hides || shell.commands.some(isSweeping)) return undefined
  const operands = shell.commands.flatMap(({ words }) => words.slice(1))
  if (operands.includes(null)) return undefined
  const named = operands.flatMap((word) => (typeof word === 'string' ? fileWords(word) : []))
  return unique([...shell.reads.map(({ path }) => path), ...named])
}

const hidesReads: ReadonlySet<string> = new Set(['code', 'computed', 'file', 'input', 'data'])

/** Every word may be a file, also behind an option, `=`, `@` or the colon of an address. */
function fileWords(word: string): string[] {
  if (word === '' || word.startsWith('/dev/')) return []
  const behind = /^-{1,2}[\w-]*[=@]?(.+)$|^[^=]*[=@](.+)$/s.exec(word)
  const inner = behind?.[1] ?? behind?.[2]
  return [word, ...(inner === undefined ? [] : [inner.replace(/^[@<]/, '')])].map((path) =>
    path.replace(/^\.\//, ''),
  )
}

const sweepers: ReadonlySet<string> = new Set(['rg', 'ag', 'ack', 'tar', 'rsync', 'zip', 'cpio'])
const recursive: ReadonlySet<string> = new Set(['grep', 'egrep', 'fgrep', 'cp', 'scp', 'diff'])

/** Reads whatever lies in a folder, which the text does not tell. */
function isSweeping({ words }: CommandFinding): boolean {
  const program = baseName(words[0] ?? '')
  if (sweepers.has(program)) return true
  if (program === 'git') return words[1] === 'grep' || words[1] === 'archive'
  if (!recursive.has(program)) return false
  return words.some(
    (word) =>
      word === null || /^-[a-zA-Z]*[rRa]|^--(?:recursive|archive|dereference-rec)/.test(word),
  )
}

function writesOf(shell: ShellFindings): readonly string[] | undefined {
  const isTold = shell.writes.every(({ path, how }) => path !== null || how === 'state')
  return isTold ? visibleWrites(shell) : undefined
}

function variablesOf({ environment }: ShellFindings): readonly string[] | undefined {
  if (environment.some(({ names }) => names === null)) return undefined
  return unique(environment.flatMap(({ names }) => names ?? []))
}

/**
 * Hosts that a command talks to. Only programs that are known to stay away from the network, or to
 * talk to nobody but the addresses in their words, leave the list whole.
 */
function hostsOf(shell: ShellFindings): readonly string[] | undefined {
  const hosts: string[] = []
  const reachesOut = shell.reach?.some(({ reach }) => reach === 'network') === true
  for (const { words, kind } of shell.commands) {
    const program = baseName(words[0] ?? '')
    if (addressed.has(program)) {
      const named = words.slice(1).map((word) => (word === null ? null : hostIn(word)))
      const told = named.filter((one) => typeof one === 'string')
      if (named.includes(null) || told.length === 0) return undefined
      hosts.push(...told)
    } else if (kind !== 'read' && kind !== 'steer' && !offline.has(program)) return undefined
  }
  if (reachesOut && hosts.length === 0) return undefined
  return unique(hosts)
}

/** Programs that talk to the addresses among their words. */
const addressed: ReadonlySet<string> = new Set(['curl', 'wget', 'http', 'https', 'xh'])

/** Programs that change files and never reach the network. */
const offline: ReadonlySet<string> = new Set([
  ...['mkdir', 'rmdir', 'touch', 'rm', 'mv', 'cp', 'ln', 'chmod', 'tee', 'sed', 'sort', 'truncate'],
])

/** The host of a word that is an address; undefined for every other word, null where unclear. */
function hostIn(word: string): string | null | undefined {
  const address = /^(?:--?[\w-]+=)?([a-z][a-z0-9+.-]*):\/\/([^/?#]*)/i.exec(word)
  if (address === null) {
    // A program of these takes a plain name for an address as well.
    if (/^[a-z0-9-]+(?:\.[a-z0-9-]+)+(?::\d+)?(?:\/|$)/i.test(word)) {
      return word.toLowerCase().replace(/[:/].*$/s, '')
    }
    return /^-/.test(word) || !/[.:@[]/.test(word) ? undefined : null
  }
  const authority = address[2] ?? ''
  const host = /^([a-z0-9.-]+)(?::\d+)?$/i.exec(authority)?.[1]
  return host === undefined ? null : host.toLowerCase()
}

function baseName(program: string): string {
  return program.slice(program.lastIndexOf('/') + 1)
}

function unique(list: readonly string[]): readonly string[] {
  return [...new Set(list)]
}
