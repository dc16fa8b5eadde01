import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Endings of files that people write programs in, and that tests may depend on. */
const endings =
  'c cc cjs clj cpp cs css cts cxx dart erl ex exs fs go groovy h hpp hrl hs html java jl js ' +
  'jsx kt kts lua m mjs ml mm mts php pl pm py pyi r rb rs sass scala scss sh sql svelte swift ' +
  'ts tsx vb vue zig'

const sourceEndings: ReadonlySet<string> = new Set(endings.split(' '))

/** Folders that hold what was made or fetched, not what somebody wrote. */
const made =
  '__pycache__ _build bower_components build coverage deps dist elm-stuff env htmlcov ' +
  'node_modules obj out target tmp vendor venv'

const madeFolders: ReadonlySet<string> = new Set(made.split(' '))

const maxFiles = 20_000
const maxDepth = 12

/** The source files of a project against its root, in order. Large projects are cut off. */
export function sourceFiles(root: string): string[] {
  const ignored = ignoredFolders(root)
  const found: string[] = []
  const look = (folder: string, depth: number) => {
    for (const item of entriesOf(join(root, folder))) {
      if (found.length >= maxFiles) return
      const path = folder === '' ? item.name : `${folder}/${item.name}`
      if (item.isFile() && isSource(item.name)) found.push(path)
      const isOurs = !item.name.startsWith('.') && !madeFolders.has(item.name)
      if (item.isDirectory() && isOurs && depth < maxDepth && !ignored.has(path)) {
        look(path, depth + 1)
      }
    }
  }
  look('', 0)
  return found.sort()
}

export function endingOf(file: string): string {
  return file.slice(file.lastIndexOf('.') + 1)
}

function isSource(name: string): boolean {
  return sourceEndings.has(endingOf(name))
}

/** Plain names of folders in `.gitignore`; its patterns are git's own affair. */
function ignoredFolders(root: string): ReadonlySet<string> {
  const lines = textOf(join(root, '.gitignore')).split('\n')
  return new Set(lines.map((line) => line.trim().replaceAll(/^\/|\/$/g, '')))
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    // What cannot be read cannot be edited either.
    return []
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
