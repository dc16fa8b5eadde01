import { isAbsolute, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  canonicalTool,
  isClientTool,
  isJsonObject,
  type ShellFindings,
  type ToolCall,
  toolRef,
} from '@statewright/core/internal'
import type { Looks } from '../../runtime/looks.ts'
import { stringsIn } from './input-strings.ts'
import { folded, hasWildcard, liesIn } from './path-match.ts'
import { withReal } from './protected-paths.ts'
import { isReader } from './readers.ts'
import { hidesFile, searchedWords, withStars } from './searched-folders.ts'
import { settingsFiles } from './settings-programs.ts'

/** Everything by which a call names files. Absolute; as written and with links followed. */
export interface NamedPaths {
  readonly touched: readonly string[]
  readonly changed: readonly string[]
  /** Where it changes something, of which its words do not tell what: `git -C there checkout`. */
  readonly worked: readonly string[]
  /** With wildcards still in them. */
  readonly patterns: readonly string[]
  /** Folders that it goes through as a whole. */
  readonly searched: readonly string[]
  /** What it speaks of, where a file that it opens is named only when it runs. */
  readonly guessed: readonly string[]
  /** It changes something that its words do not tell. */
  readonly isVague: boolean
}

export interface NamingPlace {
  readonly root: string
  readonly cwd: string
  /** What `~` may mean. */
  readonly homes: readonly string[]
  readonly looks: Looks
}

export function namedPaths(input: unknown, call: ToolCall, place: NamingPlace): NamedPaths {
  return call.shell === undefined
    ? toolPaths(input, call, place)
    : shellPaths(call.shell, call, place)
}

function toolPaths(input: unknown, call: ToolCall, place: NamingPlace): NamedPaths {
  const made = (path: string) => {
    const found = absolute(path, [place.cwd], place.homes)
    return found.length === 0 ? [path] : found
  }
  const given = [...pathsIn(input, 0), ...(isUnknown(call) ? otherPaths(input, place) : [])]
  const named = given.flatMap(made)
  const edited = (call.edits ?? []).map(({ path }) => resolve(place.root, path))
  const real = (paths: readonly string[]) => withReal(paths, place.looks)
  const isReading = edited.length === 0 && isReader(call.tool, call.server)
  const isKnownEdit = edited.length > 0 && !isUnknown(call)
  const changed = isReading ? [] : isKnownEdit ? edited : [...edited, ...named]
  return {
    touched: real([...named, ...edited]),
    changed: real(changed),
    worked: [],
    patterns: named.filter(hasWildcard),
    searched: searchingTools.has(canonicalTool(call.tool)) ? real(named) : [],
    guessed: [],
    isVague: false,
  }
}

/** What a tool that no client has calls its arguments is its own affair. */
export function isUnknown({ tool, server }: ToolCall): boolean {
  return toolRef(tool, server).server !== undefined || !isClientTool(tool)
}

const searchingTools: ReadonlySet<string> = new Set(['Grep', 'Glob'])

/** Strings of an input that may be paths: tools differ in what they call the field. */
function pathsIn(value: unknown, depth: number): string[] {
  if (depth > 20) return []
  if (typeof value === 'string') return looksLikePath(value) ? [fromUri(value)] : []
  if (Array.isArray(value)) return value.flatMap((item) => pathsIn(item, depth + 1))
  if (!isJsonObject(value)) return []
  return Object.entries(value)
    .filter(([key]) => pathFields.test(key))
    .flatMap(([, item]) => pathsIn(item, depth + 1))
}

/**
 * Each whole string that may be a path, whatever its field is called. Text is not searched: a page
 * that speaks of our files may be written. A folder above the workspace is no news of a tool that
 * names none.
 */
function otherPaths(input: unknown, { root, homes }: NamingPlace): string[] {
  const above = [root, ...homes].map(folded)
  return (
    stringsIn(input)
      .map(({ text }) => text.trim())
      .filter((text) => looksLikePath(text) && /[/.\\]/.test(text))
      // Stars between words are emphasis, not a pattern.
      .filter((text) => !(hasWildcard(text) && /\s/.test(text)))
      .map(fromUri)
      .filter((text) => !above.some((place) => liesIn(place, folded(resolve(root, text)))))
  )
}

const pathFields =
  /path|file|dir|folder|root|cwd|target|source|dest|notebook|uri|edits|glob|pattern/i

function looksLikePath(text: string): boolean {
  return text.length > 0 && text.length < 4096 && !/[\n\0]/.test(text)
}

function fromUri(text: string): string {
  if (!/^file:/i.test(text)) return text
  try {
    // What may stand for several names in an address is a wildcard of its own.
    return fileURLToPath(text.replaceAll(/\{[^}]*\}|\[[^\]]*\]/g, '*'))
  } catch {
    return text
  }
}

/** Programs whose words all change: a second name for a file is as good as the file. */
const movingPrograms: ReadonlySet<string> = new Set(['ln', 'link', 'mv', 'rename', 'mount'])

function shellPaths(shell: ShellFindings, call: ToolCall, place: NamingPlace): NamedPaths {
  const bases = basesOf(shell, place)
  const real = (paths: readonly string[]) => withReal(paths, place.looks)
  const find = (words: readonly (string | null)[]) =>
    words
      .filter((word) => word !== null)
      .flatMap(parts)
      .flatMap((word) => absolute(word, bases, place.homes))
  const touched = find(shell.commands.flatMap(({ words }) => words.slice(1)))
  touched.push(...find(shell.reads.map(({ path }) => path)))
  const changed = find(shell.writes.map(({ path }) => path))
  const searched = find(searchedWords(shell))
  const worked: string[] = []
  shell.commands.forEach(({ words }, index) => {
    const program = (words[0] ?? '').split('/').at(-1) ?? ''
    const hidesPath = shell.writes.some(
      ({ command, how, path }) => command === index && how === 'file' && path === null,
    )
    if (hidesPath || movingPrograms.has(program)) changed.push(...find(words.slice(1)))
    const isUntold = shell.writes.some(({ command, path }) => command === index && path === null)
    if (isUntold) worked.push(...find(words.slice(1)))
    changed.push(...find(settingsFiles(words)))
  })
  changed.push(...(call.shellFiles ?? []).map((path) => resolve(place.root, path)))
  const written = tokens(withStars(shell.command))
  // A home is known, though the word with it is computed: it may lead to us by a link.
  touched.push(...find(tokens(shell.command.replaceAll(/["']/g, '')).filter(isInHome)))
  const patterns = written
    .filter((token) => hasWildcard(token) && !/^\*.*\*$|^\*$/.test(token))
    // Two stars are one to a shell that was not told otherwise.
    .flatMap((token) => absolute(fromUri(token).replaceAll(/\*+/g, '*'), bases, place.homes))
  return {
    touched: real([...touched, ...changed]),
    changed: real(changed),
    worked: real(worked),
    patterns: [...patterns, ...addresses(shell)],
    searched: real(searched),
    guessed: hidesFile(shell) ? placesIn(written, bases, place) : [],
    isVague:
      shell.writes.some(({ path, how }) => path === null && how !== 'state') ||
      shell.unknowns.length > 0 ||
      holdsCode(shell),
  }
}

function isInHome(token: string): boolean {
  return /^\$(?:HOME|\{HOME\})\//.test(token)
}

/** Paths in addresses, which have wildcards of their own. */
function addresses({ commands }: ShellFindings): string[] {
  return commands
    .flatMap(({ words }) => words)
    .filter((word) => word !== null)
    .filter((word) => /^file:/i.test(word))
    .map(fromUri)
}

/** What of the words lies in a home folder; the workspace and what holds it are no news. */
function placesIn(
  words: readonly string[],
  bases: readonly string[],
  { root, homes }: NamingPlace,
): string[] {
  return words
    .flatMap((word) => absolute(word, bases, homes))
    .filter((path) => homes.some((home) => path !== home && liesIn(path, home)))
    .filter((path) => !liesIn(root, path) && !liesIn(path, root))
}

/** Code of another language stands in the command, or is fed to a program that runs it. */
export function holdsCode(shell: ShellFindings): boolean {
  return (shell.unproven ?? []).some(({ what }) => what === 'code' || what === 'input')
}

/** Where relative words may count from: the folder it starts in, and each that it goes to. */
function basesOf(shell: ShellFindings, { cwd, homes }: NamingPlace): string[] {
  const bases = [cwd]
  for (const { words } of shell.commands) {
    const [program, target] = words
    if (program !== 'cd' && program !== 'pushd') continue
    if (target === undefined) bases.push(...homes)
    if (typeof target === 'string') {
      bases.push(...bases.flatMap((base) => absolute(target, [base], homes)))
    }
    if (bases.length > 50) break
  }
  return [...new Set(bases)]
}

/** A word, and the paths in it, as in `of=file` and `~:/host`; options are no paths. */
function parts(text: string): string[] {
  const word = fromUri(text)
  const behind = /^[^/=]{1,40}=(.+)$/.exec(word)?.[1]
  const whole = word.startsWith('-') ? [] : [word]
  // Two places in one word: `-v ~:/host`, `host:~`.
  const sides = /^[^:]+:[^:/]*[~/][^:]*(?::\w+)?$/.test(word) ? word.split(':') : []
  return [...whole, ...(behind === undefined ? [] : [behind]), ...sides]
}

function tokens(command: string): string[] {
  return command.split(/[\s'"`;|&<>()=,]+/).filter((token) => token !== '' && token.length < 4096)
}

/** Absolute forms of a word, wherever it may count from. */
function absolute(word: string, bases: readonly string[], homes: readonly string[]): string[] {
  if (!looksLikePath(word)) return []
  const inHome = /^(?:~|\$HOME|\$\{HOME\})(\/.*|)$/.exec(word)?.[1]
  if (inHome !== undefined && homes.length > 0) return homes.map((home) => resolve(home + inHome))
  return isAbsolute(word) ? [resolve(word)] : bases.map((base) => join(base, word))
}
