import { hash } from 'node:crypto'
import { realpathSync, statSync } from 'node:fs'
import { basename, delimiter, extname, join, relative, resolve } from 'node:path'
import { readRegular } from '../base/read-regular.ts'
import { isWithin } from '../sandbox/cage.ts'
import { expand } from './environment.ts'
import { loadedBy } from './loaded-files.ts'

/** A file of the project that a program is started from, as it was when somebody looked. */
export interface ProgramFile {
  /** Against the project folder. */
  readonly file: string
  readonly sha256: string
}

/** A program as a configuration names it. */
export interface Program {
  readonly command: string
  readonly args?: readonly string[] | undefined
  readonly env?: Readonly<Record<string, string>> | undefined
  readonly cwd?: string | undefined
}

export interface ProgramContext {
  /** The project, links followed. */
  readonly folder: string
  readonly environment: Readonly<Record<string, string | undefined>>
}

const limits = {
  words: 2000,
  files: 500,
  bytes: 64 * 1024 * 1024,
  textBytes: 2 * 1024 * 1024,
} as const

/** What its name says to be data changes with every use and is run by nobody. */
const dataNames = /^\.(?:db|sqlite|sqlite3|duckdb|log|csv|tsv|parquet)$/i

/** What an interpreter looks for when it is given a folder. */
const entryFiles = ['package.json', 'index.js', 'index.mjs', 'index.cjs', '__main__.py']

/**
 * Files inside the project that a program's words name, and those that they load as far as their
 * text tells: an agent may change them, and with them what the same command line does.
 */
export function programFiles(program: Program, context: ProgramContext): readonly ProgramFile[] {
  const found = new Map<string, ProgramFile>()
  // What is found while it is gone through comes to its end, and is gone through as well.
  const paths = namedPaths(program, context)
  for (const path of paths) {
    if (found.size >= limits.files) break
    const file = readProgramFile(path, context.folder)
    if (file === undefined) continue
    found.set(file.file, file)
    for (const next of loadedFrom(path)) paths.add(next)
  }
  return [...found.values()].sort((one, other) => (one.file < other.file ? -1 : 1))
}

/** Names of files that are not what they were, are new, or gone. */
export function changedFiles(
  before: readonly ProgramFile[],
  after: readonly ProgramFile[],
): readonly string[] {
  const known = new Map(before.map(({ file, sha256 }) => [file, sha256]))
  const now = new Map(after.map(({ file, sha256 }) => [file, sha256]))
  return [...new Set([...known.keys(), ...now.keys()])].filter(
    (file) => known.get(file) !== now.get(file),
  )
}

function namedPaths(program: Program, { folder, environment }: ProgramContext): Set<string> {
  const cwd = resolve(folder, program.cwd ?? '.')
  const { command, args = [], env = {} } = program
  // A search path is looked at below: its folders are no programs.
  const { PATH: searchPath = environment.PATH ?? '', ...set } = env
  const texts = [command, ...args, ...Object.values(set)].map((text) => expand(text, environment))
  const words = [...new Set(texts.flatMap(wordsOf))].slice(0, limits.words)
  const paths = new Set(words.flatMap((word) => candidates(word, cwd, folder)))
  for (const part of expand(searchPath, environment).split(delimiter)) {
    paths.add(resolve(cwd, part, texts[0] ?? ''))
  }
  if (words.some((word) => /^(?:npm|pnpm|yarn|bun)$/.test(word))) {
    if (words.some((word) => /^(?:run|start)$/.test(word))) paths.add(join(cwd, 'package.json'))
  }
  if (words.includes('make')) paths.add(join(cwd, 'Makefile'))
  return paths
}

/** A path may also stand behind an option's "=", in a list, or in a line for a shell. */
function wordsOf(text: string): string[] {
  return [text, ...text.split(/[\s;&|()<>"'`=,:]+/)].filter((word) => word !== '')
}

function candidates(word: string, cwd: string, folder: string): string[] {
  const path = resolve(cwd, word)
  const paths = [path]
  // The project's own folder is what servers work on, not what they are.
  if (isWithin(path, folder) && path !== folder) {
    paths.push(...entryFiles.map((name) => join(path, name)))
  }
  const name = /^((?:@[\w.-]+\/)?[\w.-]+)(?:@[^/]*)?$/.exec(word)?.[1]
  if (name === undefined) return paths
  // Runners of packages take what is installed in the project before all else.
  const modules = join(cwd, 'node_modules')
  return [...paths, join(modules, '.bin', basename(name)), join(modules, name, 'package.json')]
}

/** Only small files are programs that somebody has written. */
function loadedFrom(path: string): readonly string[] {
  const text = readRegular(path, limits.textBytes)
  return text === undefined ? [] : loadedBy(path, text.toString())
}

function readProgramFile(path: string, folder: string): ProgramFile | undefined {
  if (dataNames.test(extname(path))) return undefined
  try {
    const stat = statSync(path)
    const { size, mtimeMs } = stat
    const isHere = isWithin(path, folder) || isWithin(realpathSync(path), folder)
    if (!isHere || !stat.isFile()) return undefined
    const file = relative(folder, path)
    if (size > limits.bytes) return { file, sha256: `too large: ${size} ${mtimeMs}` }
    return { file, sha256: hash('sha256', readRegular(path, limits.bytes) ?? 'not a file') }
  } catch (fault) {
    const code = fault instanceof Error && 'code' in fault ? fault.code : undefined
    if (code === 'EACCES') return { file: relative(folder, path), sha256: 'unreadable' }
    return undefined // Most words of a command line are no files.
  }
}
