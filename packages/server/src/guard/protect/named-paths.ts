import { isAbsolute, join, resolve } from 'node:path'
import {
  canonicalTool,
  isClientTool,
  isJsonObject,
  type ShellFindings,
  type ToolCall,
  toolRef,
} from '@statewright/core/internal'
import { gitTrees } from './git-trees.ts'
import { stringsIn } from './input-strings.ts'
import { madeLinks, throughLinks } from './made-links.ts'
import { packageChanges } from './package-commands.ts'
import { patchedFiles } from './patched-files.ts'
import { folded, hasWildcard, liesIn } from './path-match.ts'
import {
  absolute,
  fromUri,
  looksLikePath,
  type PathRoots,
  pathWords,
  tokens,
} from './path-words.ts'
import { withReal } from './protected-paths.ts'
import { isReader } from './readers.ts'
import { hidesFile, programOf, searchedWords, withStars } from './searched-folders.ts'
import { settingsFiles } from './settings-programs.ts'
import { type Sweep, sweepsOf } from './swept-folders.ts'

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
  /** With a star that the shell itself puts names in for. */
  readonly starred: readonly string[]
  /** Folders below which it changes what it comes across. */
  readonly swept: readonly Sweep[]
  /** What it speaks of, where a file that it opens is named only when it runs. */
  readonly guessed: readonly string[]
  /** Folders that it puts files of any name into. */
  readonly planted: readonly string[]
  /** Folders whose packages it changes. */
  readonly installed: readonly string[]
  /** It changes something that its words do not tell. */
  readonly isVague: boolean
}

export function namedPaths(input: unknown, call: ToolCall, roots: PathRoots): NamedPaths {
  return call.shell === undefined
    ? toolPaths(input, call, roots)
    : shellPaths(call.shell, call, roots)
}

function toolPaths(input: unknown, call: ToolCall, roots: PathRoots): NamedPaths {
  const made = (path: string) => {
    const found = absolute(path, [roots.cwd], roots)
    return found.length === 0 ? [path] : found
  }
  const given = [...pathsIn(input, 0), ...(isUnknown(call) ? otherPaths(input, roots) : [])]
  const listsNames = canonicalTool(call.tool) === 'Glob' && !isUnknown(call)
  const named = given.flatMap(made).map((path) => (listsNames ? beforeWildcard(path) : path))
  const edited = (call.edits ?? []).map(({ path }) => resolve(roots.root, path))
  const real = (paths: readonly string[]) => withReal(paths, roots.looks)
  const isReading = edited.length === 0 && isReader(call.tool, call.server)
  const isKnownEdit = edited.length > 0 && !isUnknown(call)
  const changed = isReading ? [] : isKnownEdit ? edited : [...edited, ...named]
  return {
    touched: real([...named, ...edited]),
    changed: real(changed),
    worked: [],
    patterns: named.filter(hasWildcard),
    searched:
      searchingTools.has(canonicalTool(call.tool)) && !listsNames
        ? real(namesFolder(input) ? named : [...named, roots.cwd])
        : [],
    starred: [],
    swept: [],
    guessed: [],
    planted: [],
    installed: [],
    isVague: false,
  }
}

/** A client's search by names shows names, so that only where it begins matters. */
function beforeWildcard(path: string): string {
  if (!hasWildcard(path)) return path
  const segments = path.split('/')
  return segments.slice(0, segments.findIndex(hasWildcard)).join('/') || '/'
}

/** Without one a search begins where the client stands. */
function namesFolder(input: unknown): boolean {
  if (!isJsonObject(input)) return false
  return Object.keys(input).some((key) => /path|dir|folder|root|cwd/i.test(key))
}

/** What a tool that no client has calls its arguments is its own affair. */
export function isUnknown({ tool, server }: ToolCall): boolean {
  return toolRef(tool, server).server !== undefined || !isClientTool(tool)
}

const searchingTools: ReadonlySet<string> = new Set(['Grep', 'Glob'])

/** Strings of an input that may be paths: tools differ in what they call the field. */
function pathsIn(value: unknown, depth: number): string[] {
  if (depth > 20) return []
  if (typeof value === 'string') return withoutBlanks(value).filter(looksLikePath).map(fromUri)
  if (Array.isArray(value)) return value.flatMap((item) => pathsIn(item, depth + 1))
  if (!isJsonObject(value)) return []
  return Object.entries(value)
    .filter(([key]) => pathFields.test(key))
    .flatMap(([, item]) => pathsIn(item, depth + 1))
}

/** Some clients leave out blanks around a path before they use it. */
function withoutBlanks(path: string): readonly string[] {
  const trimmed = path.trim()
  return trimmed === path ? [path] : [path, trimmed]
}

/**
 * Each whole string that may be a path, whatever its field is called. Text is not searched: a page
 * that speaks of our files may be written. A folder above the workspace is no news of a tool that
 * names none.
 */
function otherPaths(input: unknown, { root, homes }: PathRoots): string[] {
  const above = [root, ...homes].map(folded)
  const texts = stringsIn(input).map(({ text }) => text.trim())
  return (
    [...texts, ...texts.flatMap(behindSign), ...joined(texts)]
      .filter((text) => looksLikePath(text) && /[/.\\]/.test(text))
      // Stars between words are emphasis, not a pattern.
      .filter((text) => !(hasWildcard(text) && /\s/.test(text)))
      .map(fromUri)
      .filter((text) => !above.some((path) => liesIn(path, folded(resolve(root, text)))))
  )
}

/** `--file=/home/me/x`. */
function behindSign(text: string): string[] {
  return looksLikePath(text) && text.includes('=') ? [text.slice(text.indexOf('=') + 1)] : []
}

const maxJoined = 8

/** Some tools take the folder and the name apart. */
function joined(texts: readonly string[]): string[] {
  const short = texts.filter((text) => looksLikePath(text) && !/\s/.test(text)).slice(0, maxJoined)
  const folders = short.filter((text) => /^[/~]|^\.\.?(?:\/|$)|\/$/.test(text))
  return folders.flatMap((folder) =>
    short.filter((name) => name !== folder && !isAbsolute(name)).map((name) => join(folder, name)),
  )
}

const pathFields =
  /path|file|dir|folder|root|cwd|target|source|dest|notebook|uri|edits|glob|pattern/i

/** Programs whose words all change: a second name for a file is as good as the file. */
const movingPrograms: ReadonlySet<string> = new Set(['ln', 'link', 'mv', 'rename', 'mount'])

function searchedBy(shell: ShellFindings, find: ReturnType<typeof finder>): string[] {
  const searched = find(searchedWords(shell))
  if (!shell.commands.some(({ words }) => containers.has(programOf(words)))) return searched
  const here = tokens(withFolder(shell.command)).filter((one) => one.startsWith('.'))
  return [...searched, ...find(here)]
}

/** They show a program whatever folder they are told to. */
const containers: ReadonlySet<string> = new Set(['docker', 'podman', 'nerdctl'])

/** Where words lead, also through links that the command itself makes. */
function finder(shell: ShellFindings, bases: readonly string[], roots: PathRoots) {
  const links = madeLinks(shell)
  return (words: readonly (string | null)[]): string[] =>
    words
      .filter((word) => word !== null)
      .flatMap(pathWords)
      .flatMap((word) => [word, ...throughLinks(word, links)])
      .flatMap((word) => absolute(word, bases, roots))
}

function shellPaths(shell: ShellFindings, call: ToolCall, roots: PathRoots): NamedPaths {
  const bases = basesOf(shell, roots)
  const real = (paths: readonly string[]) => withReal(paths, roots.looks)
  const find = finder(shell, bases, roots)
  const touched = find(shell.commands.flatMap(({ words }) => words.slice(1)))
  touched.push(...find(shell.reads.map(({ path }) => path)))
  // Anyone who stands in a folder of ours reads it by names that say nothing.
  touched.push(...bases.filter((base) => !liesIn(roots.root, base)))
  const changed = find(shell.writes.map(({ path }) => path))
  const searched = searchedBy(shell, find)
  const worked: string[] = []
  shell.commands.forEach(({ words }, index) => {
    const program = programOf(words)
    const hidesPath = shell.writes.some(
      ({ command, how, path }) => command === index && how === 'file' && path === null,
    )
    if (hidesPath || movingPrograms.has(program)) changed.push(...find(words.slice(1)))
    const isUntold = shell.writes.some(({ command, path }) => command === index && path === null)
    if (isUntold) worked.push(...find(words.slice(1)))
    changed.push(...find(settingsFiles(words)))
  })
  changed.push(...(call.shellFiles ?? []).map((path) => resolve(roots.root, path)))
  changed.push(...find(patchedFiles(shell, find)))
  const { planted, installed } = elsewhere(shell, bases, roots)
  searched.push(...planted.searched)
  changed.push(...planted.changed, ...planted.folders)
  const written = tokens(withStars(withFolder(shell.command)))
  const isUntold = changesUntold(shell)
  if (gitVariables.test(shell.command)) changed.push(...find(['.git/hooks']))
  const swept = sweepsOf(shell)
  // What a shell puts in for a star, or for the folder where it stands, is changed as well.
  if (isUntold) swept.push(...sweptTokens(shell.command))
  // A home is known, though the word with it is computed: it may lead to us by a link.
  touched.push(...find(tokens(shell.command.replaceAll(/["']/g, '')).filter(isInHome)))
  const patterns = written
    .filter((token) => hasWildcard(token) && !/^\*.*\*$|^\*$/.test(token))
    // Two stars are one to a shell that was not told otherwise.
    .flatMap((token) => absolute(fromUri(token).replaceAll(/\*+/g, '*'), bases, roots))
  return {
    touched: real([...touched, ...changed]),
    changed: real(changed),
    worked: real(worked),
    patterns: [...patterns, ...addresses(shell)],
    searched: real(searched),
    starred: tokens(shell.commands.some(({ words }) => words.includes(null)) ? shell.command : '')
      .filter(hasWildcard)
      .flatMap((token) => absolute(token, bases, roots)),
    swept: swept.flatMap(({ path, names }) =>
      real(absolute(path, bases, roots)).map((one) => ({ path: one, names })),
    ),
    planted: real(planted.folders),
    installed: real(installed),
    guessed: hidesFile(shell) ? pathsInWords(written, bases, roots) : [],
    isVague:
      shell.writes.some(({ path, how }) => path === null && how !== 'state') ||
      shell.unknowns.length > 0 ||
      holdsCode(shell),
  }
}

/** A file that it changes is named only when it runs. */
function changesUntold({ writes, commands }: ShellFindings): boolean {
  const moves = commands.filter(({ words }) => movingPrograms.has(programOf(words)))
  if (moves.some(({ words }) => words.includes(null))) return true
  return writes.some(({ path, how }) => path === null && how === 'file')
}

/** What git and package managers reach when they are told to work in another folder. */
function elsewhere(shell: ShellFindings, bases: readonly string[], roots: PathRoots) {
  const all = (words: readonly string[]) => words.flatMap((word) => absolute(word, bases, roots))
  const git = gitTrees(shell)
  const outside = bases.filter((base) => !liesIn(base, roots.root))
  const standing = git.isWhereItStands ? bases.filter((base) => base !== roots.root) : outside
  const trees = [...all(git.named.map(withFolder)), ...standing]
  const packages = packageChanges(shell)
  return {
    planted: {
      searched: git.reads ? trees : [],
      folders: [...(git.changes ? trees : []), ...all(git.planted.map(withFolder))],
      changed: all(git.staged),
    },
    installed: packages.isAny ? [...all(packages.prefixes), ...outside] : [],
  }
}

/** By which git takes hooks, or commands of other names, from the environment it is started in. */
const gitVariables = new RegExp(
  String.raw`\bGIT_TEMPLATE_DIR\b|\bGIT_CONFIG_(?:KEY_\d+|PARAMETERS)=["']*` +
    String.raw`(?:init\.templatedir|alias\.|[$\x60])`,
  'i',
)

const standing = /\$PWD\b|\$\{PWD\}|\$\(pwd(?: -[LP])?\)|`pwd`/
const everyStanding = new RegExp(standing, 'g')

/** The command with a dot for each form of "the folder where I stand". */
function withFolder(command: string): string {
  return command.replaceAll(everyStanding, '.')
}

/** Words with a star that stands there as such, and those that begin where the command stands. */
function sweptTokens(command: string): Sweep[] {
  const written = tokens(withStars(withFolder(command).replaceAll(/\$\(|`/g, ' ')))
  const literal = new Set(tokens(command))
  const isOfFolder = (token: string) =>
    standing.test(command) && (token === '.' || token.startsWith('./'))
  return written
    .filter((token) => (hasWildcard(token) && literal.has(token)) || isOfFolder(token))
    .map((path) => ({ path, names: [] }))
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
function pathsInWords(
  words: readonly string[],
  bases: readonly string[],
  roots: PathRoots,
): string[] {
  const { root, homes } = roots
  return words
    .flatMap((word) => absolute(word, bases, roots))
    .filter((path) => homes.some((home) => path !== home && liesIn(path, home)))
    .filter((path) => !liesIn(root, path) && !liesIn(path, root))
}

/** Code of another language stands in the command, or is fed to a program that runs it. */
export function holdsCode(shell: ShellFindings): boolean {
  return (shell.unproven ?? []).some(({ what }) => what === 'code' || what === 'input')
}

/** Where relative words may count from: the folder it starts in, and each that it goes to. */
function basesOf(shell: ShellFindings, roots: PathRoots): string[] {
  const { cwd, homes } = roots
  const bases = [cwd, ...searchPath(shell.command).flatMap((word) => absolute(word, [cwd], roots))]
  for (const { words, start, end } of shell.commands) {
    const program = programOf(words)
    const isMove = program === 'cd' || program === 'pushd'
    const targets = isMove ? words.slice(1).filter((word) => !word?.startsWith('-')) : []
    if (isMove && targets.length === 0) bases.push(...homes)
    // A home and the folder where it stands are known, though the word with them is computed.
    const computed = targets.includes(null) ? knownTargets(shell.command.slice(start, end)) : []
    for (const target of [...targets, ...computed, ...namedFolders(words)]) {
      if (target === null) continue
      bases.push(...bases.flatMap((base) => absolute(target, [base], roots)))
    }
    if (bases.length > 50) break
  }
  return [...new Set(bases)]
}

/** `env -C folder`, `make -C folder`, `git --work-tree=folder`: the program begins there. */
function namedFolders(words: readonly (string | null)[]): (string | null)[] {
  return words.flatMap((word, index) => {
    const glued = /^(?:--(?:work-tree|directory|chdir|cwd|prefix)=|-C(?=[^ ]))(.+)$/.exec(
      word ?? '',
    )
    if (glued !== null) return [glued[1] ?? '']
    const isNext = ['-C', '--work-tree', '--directory', '--chdir', '--cwd'].includes(word ?? '')
    return isNext ? [words[index + 1] ?? null] : []
  })
}

function knownTargets(command: string): string[] {
  const text = withFolder(command).replaceAll(/["']/g, '')
  // A variable in front may well be the project, and what it has without a value is told.
  const guessed = text
    .replaceAll(/\$\{\w+:?[-=]([^}]*)\}/g, '$1')
    .replaceAll(/\$(?!HOME\b)\w+(?=\/)|\$\{(?!HOME\})\w+\}(?=\/)/g, '.')
  const all = [...tokens(text), ...tokens(guessed)]
  return all.filter((token) => isInHome(`${token}/`) || !/[$`]/.test(token))
}

/** Folders that `cd` looks in besides the one where it stands. */
function searchPath(command: string): string[] {
  const given = /\bCDPATH=(?:"([^"]*)"|'([^']*)'|([^\s;|&]*))/.exec(command)
  return (given?.slice(1).find((text) => text !== undefined) ?? '').split(':').filter(Boolean)
}
