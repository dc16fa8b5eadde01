import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What a project is built with, and the words a workflow needs for it. */
export interface ProjectKind {
  readonly language: string
  /** The whole command that runs the tests. */
  readonly test: string
  /** The file that says what the test command does. */
  readonly definedBy: string
  /** Where code and tests lie. */
  readonly sources: readonly string[]
  /** What made us think so, for the person who is asked. */
  readonly because: string
}

interface Sign {
  readonly file: string
  readonly kind: (folder: string) => Omit<ProjectKind, 'because' | 'definedBy'>
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

const rust = { language: 'Rust', test: 'cargo test', sources: ['src/**', 'tests/**', 'crates/**'] }
const go = { language: 'Go', test: 'go test ./...', sources: ['**/*.go'] }
const deno = { language: 'Deno', test: 'deno test', sources: ['src/**', 'test/**'] }
const maven = { language: 'Java', test: 'mvn test', sources: ['src/**'] }
const gradle = { language: 'Java', test: './gradlew test', sources: ['src/**'] }
const elixir = { language: 'Elixir', test: 'mix test', sources: ['lib/**', 'test/**'] }
const make = { language: 'a Makefile', test: 'make test', sources: ['src/**', 'test/**'] }

/** What kind of project lies in a folder; undefined where no sign is found. */
export function recogniseProject(folder: string): ProjectKind | undefined {
  const sign = signs.find(({ file }) => existsSync(join(folder, file)))
  if (sign === undefined) return undefined
  return { ...sign.kind(folder), definedBy: sign.file, because: sign.file }
}

function node(folder: string) {
  const manager = existsSync(join(folder, 'pnpm-lock.yaml'))
    ? 'pnpm'
    : existsSync(join(folder, 'yarn.lock'))
      ? 'yarn'
      : existsSync(join(folder, 'bun.lock')) || existsSync(join(folder, 'bun.lockb'))
        ? 'bun run'
        : 'npm'
  const sources = present(folder, ['src', 'test', 'tests', 'lib', 'packages', 'app'])
  return { language: 'Node', test: `${manager} test`, sources }
}

function python(folder: string) {
  const usesPytest = ['pyproject.toml', 'requirements.txt', 'requirements-dev.txt', 'tox.ini'].some(
    (file) => textOf(join(folder, file)).includes('pytest'),
  )
  const test =
    usesPytest || existsSync(join(folder, 'pytest.ini')) ? 'pytest' : 'python -m unittest'
  return { language: 'Python', test, sources: ['**/*.py'] }
}

function ruby(folder: string) {
  const test = existsSync(join(folder, 'spec')) ? 'bundle exec rspec' : 'bundle exec rake test'
  return { language: 'Ruby', test, sources: ['lib/**', 'app/**', 'spec/**', 'test/**'] }
}

function present(folder: string, names: readonly string[]): string[] {
  const there = new Set(readdirSync(folder))
  const found = names.filter((name) => there.has(name))
  return (found.length > 0 ? found : ['src', 'test']).map((name) => `${name}/**`)
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
