import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { endingOf, sourceFiles } from './source-files.ts'

/** What a project is built with, and the words a workflow needs for it. */
export interface ProjectKind {
  readonly language: string
  /** The whole command that runs the tests. */
  readonly test: string
  /** The file that says what the test command does. */
  readonly definedBy: string
  /** Globs that match every source file, those of tests as well. */
  readonly sources: readonly string[]
  /** What made us think so, for the person who is asked. */
  readonly because: string
}

interface Language {
  readonly language: string
  readonly test: string
  /** Endings of its source files, also of those that are not there yet. */
  readonly endings: readonly string[]
  /** A test run leaves files in the folders of sources, such as compiled ones. */
  readonly leavesFiles?: boolean
}

interface Sign {
  readonly file: string
  readonly kind: (folder: string) => Language
}

/** In this order: a Rust or Go project may well have a package.json for its tooling. */
const signs: readonly Sign[] = [
  { file: 'Cargo.toml', kind: () => rust },
  { file: 'go.mod', kind: () => go },
  { file: 'pyproject.toml', kind: python },
  { file: 'setup.py', kind: python },
  { file: 'requirements.txt', kind: python },
  { file: 'package.json', kind: node },
  { file: 'deno.json', kind: () => deno },
  { file: 'Gemfile', kind: ruby },
  { file: 'pom.xml', kind: () => maven },
  { file: 'build.gradle', kind: () => gradle },
  { file: 'build.gradle.kts', kind: () => gradle },
  { file: 'mix.exs', kind: () => elixir },
  { file: 'Makefile', kind: () => make },
]

const script = ['js', 'jsx', 'mjs', 'cjs', 'ts', 'tsx', 'mts', 'cts']
const jvm = ['java', 'kt', 'kts', 'groovy', 'scala']
const rust = { language: 'Rust', test: 'cargo test', endings: ['rs'] }
const go = { language: 'Go', test: 'go test ./...', endings: ['go'] }
const deno = { language: 'Deno', test: 'deno test', endings: script }
const maven = { language: 'Java', test: 'mvn test', endings: jvm, leavesFiles: true }
const gradle = { language: 'Java', test: './gradlew test', endings: jvm, leavesFiles: true }
const elixir = { language: 'Elixir', test: 'mix test', endings: ['ex', 'exs'] }
const c = ['c', 'h']
const make = { language: 'a Makefile', test: 'make test', endings: c, leavesFiles: true }

/** What kind of project lies in a folder; undefined where no sign is found. */
export function recogniseProject(folder: string): ProjectKind | undefined {
  const sign = signs.find(({ file }) => existsSync(join(folder, file)))
  if (sign === undefined) return undefined
  const { language, test, ...files } = sign.kind(folder)
  const sources = sourceGlobs(folder, files)
  return { language, test, sources, definedBy: sign.file, because: sign.file }
}

/**
 * Globs for every source file of a project as it is: each folder that has some, and the root. Not
 * the whole tree, where a test run leaves files behind that look like sources.
 */
export function sourceGlobs(
  folder: string,
  { endings: usual, leavesFiles = false }: Pick<Language, 'endings' | 'leavesFiles'> = unknown,
): string[] {
  const files = sourceFiles(folder)
  const endings = [...new Set([...usual, ...files.map(endingOf)])].sort()
  const tops = files.filter((file) => file.includes('/')).map((file) => file.split('/')[0] ?? '')
  const folders = new Set(tops.length > 0 ? tops : ['src', 'test'])
  const [first = '', ...more] = endings
  const any = more.length === 0 ? `*.${first}` : `*.{${endings.join(',')}}`
  const inside = leavesFiles ? `**/${any}` : '**'
  return [...[...folders].sort(sourcesFirst).map((name) => `${name}/${inside}`), any]
}

const unknown = { endings: script, leavesFiles: true }

/** Readers look for the code first, and so do the scenarios of a template. */
function sourcesFirst(one: string, other: string): number {
  const isTest = (name: string) => Number(/^(test|spec)/.test(name))
  return isTest(one) - isTest(other) || one.localeCompare(other)
}

function node(folder: string) {
  const manager = existsSync(join(folder, 'pnpm-lock.yaml'))
    ? 'pnpm'
    : existsSync(join(folder, 'yarn.lock'))
      ? 'yarn'
      : existsSync(join(folder, 'bun.lock')) || existsSync(join(folder, 'bun.lockb'))
        ? 'bun run'
        : 'npm'
  return { language: 'Node', test: `${manager} test`, endings: script }
}

function python(folder: string) {
  const usesPytest = ['pyproject.toml', 'requirements.txt', 'requirements-dev.txt', 'tox.ini'].some(
    (file) => textOf(join(folder, file)).includes('pytest'),
  )
  const test =
    usesPytest || existsSync(join(folder, 'pytest.ini')) ? 'pytest' : 'python -m unittest'
  return { language: 'Python', test, endings: ['py'], leavesFiles: true }
}

function ruby(folder: string) {
  const test = existsSync(join(folder, 'spec')) ? 'bundle exec rspec' : 'bundle exec rake test'
  return { language: 'Ruby', test, endings: ['rb'] }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
