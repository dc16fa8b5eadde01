import { readdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { isJsonObject } from '@statewright/core/internal'
import { Looks } from '../base/looks.ts'
import { readRegularText } from '../base/read-regular.ts'
import { pythonModules } from './python-modules.ts'

export interface RunnerPrograms {
  /** What a command and its scripts may call. */
  readonly words: Iterable<string>
  /** Known runners, which other programs may start and which are packages or modules too. */
  readonly known: Iterable<string>
}

/**
 * The files of programs that a project brings along: what lies in `node_modules/.bin`, `.venv/bin`
 * and the like under a name, where a link there leads, and what the package or module of that name
 * starts with. They are looked up singly: nobody walks `node_modules` for a call.
 */
export function programFiles({ words, known }: RunnerPrograms, root: string): string[] {
  const looks = new Looks()
  const modules = nodeModules(root, looks)
  const folders = [
    ...modules.map((folder) => join(folder, '.bin')),
    ...['.venv', 'venv', 'vendor'].map((name) => join(root, name, 'bin')),
  ].filter((folder) => looks.at(folder) !== undefined)
  const python = pythonFolders(root)
  const names = [...known].filter(isName)
  const called = [...words]
  const isPython = called.some((word) => /^python(?:\d(?:\.\d+)?)?$/.test(word))
  const paths = [
    ...(isPython ? moduleFiles(root, new Set(pythonModules)) : []),
    ...folders.flatMap((folder) => programsOf(folder, new Set([...names, ...called, ...shells]))),
    ...names.flatMap((name) => modules.flatMap((folder) => packageFiles(folder, name, looks))),
    ...python.flatMap((folder) => moduleFiles(folder, new Set(names))),
  ].filter((path) => looks.at(path) !== undefined)
  // A link and what it leads to: either may be changed.
  return [...new Set(paths.flatMap((path) => [path, looks.real(path)]))].sort()
}

function programsOf(folder: string, names: ReadonlySet<string>): string[] {
  const found = namesIn(folder).filter((name) => names.has(name.replace(/\.(?:cmd|ps1)$/, '')))
  return found.map((name) => join(folder, name))
}

/** What package managers start scripts with, and look for among the project's programs first. */
const shells = ['sh', 'bash', 'env', 'node', 'npm', 'npx', 'pnpm', 'yarn']

function isName(word: string): boolean {
  return /^[A-Za-z0-9][\w.-]{0,99}$/.test(word)
}

/** npm looks for programs in every folder above as well: packages of one project share them. */
function nodeModules(root: string, looks: Looks): string[] {
  const found: string[] = []
  for (let folder = root; ; folder = dirname(folder)) {
    const modules = join(folder, 'node_modules')
    if (looks.at(modules) !== undefined) found.push(modules)
    if (dirname(folder) === folder) return found
  }
}

/** A package's manifest, and the programs in it. Some managers put a script in place of a link. */
function packageFiles(modules: string, name: string, looks: Looks): string[] {
  const manifest = join(modules, name, 'package.json')
  if (looks.at(manifest) === undefined) return []
  return [manifest, ...programsIn(manifest).map((file) => resolve(dirname(manifest), file))]
}

const maxManifest = 1024 * 1024

function programsIn(manifest: string): string[] {
  try {
    const parsed: unknown = JSON.parse(readRegularText(manifest, maxManifest))
    const bin = isJsonObject(parsed) ? parsed.bin : undefined
    const files = isJsonObject(bin) ? Object.values(bin) : [bin]
    return files.filter((file) => typeof file === 'string')
  } catch {
    // The manifest itself counts, so that mending it counts as a change.
    return []
  }
}

/** `python -m x` takes x from the folder that it is started in before any other. */
function pythonFolders(root: string): string[] {
  const inside = ['.venv', 'venv'].flatMap((name) => {
    const lib = join(root, name, 'lib')
    return namesIn(lib).map((version) => join(lib, version, 'site-packages'))
  })
  return [root, ...inside]
}

/** A module as source, compiled, or as a library; also one that is a folder. */
function moduleFiles(folder: string, names: ReadonlySet<string>): string[] {
  return namesIn(folder).flatMap((entry) => {
    const [stem = ''] = entry.split('.')
    if (!names.has(stem)) return []
    const path = join(folder, entry)
    if (entry !== stem) return moduleEnding.test(entry) ? [path] : []
    const inside = namesIn(path).filter((name) => /^__(?:init|main)__\./.test(name))
    return inside.filter((name) => moduleEnding.test(name)).map((name) => join(path, name))
  })
}

const moduleEnding = /\.(?:pyc?|pyw|pyd|so)$/

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
