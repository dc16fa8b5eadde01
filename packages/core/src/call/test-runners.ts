import type { CompiledGlob } from './glob.ts'

/** What says what a known test runner does, besides the command that starts it (WF-31c). */
export interface RunnerFiles {
  /** Names of files, in whichever folder; a star stands for anything within a name. */
  readonly names: readonly string[]
  /** Programs whose files count as well, where the project brings them along. */
  readonly programs: readonly string[]
  readonly matches: CompiledGlob
}

/**
 * The files of every known runner among the words of a command and of the scripts that it starts;
 * null where there is none. All runners of one language count together: `npm test` may start them
 * through a script that nobody reads here.
 */
export function runnerFiles(words: Iterable<string>): RunnerFiles | null {
  const plain = new Set(Array.from(words, programName))
  const found = languages.filter(({ programs }) => programs.some((name) => plain.has(name)))
  if (found.length === 0) return null
  const names = found.flatMap((language) => language.files)
  return {
    names,
    programs: found.flatMap((language) => language.programs),
    matches: matcher(names),
  }
}

/** Without its folder, version and ending: `/usr/bin/python3.12`, `gradlew.bat`. */
function programName(word: string): string {
  const name = word.slice(word.lastIndexOf('/') + 1).replace(/\.(?:bat|cmd|exe)$/, '')
  return name.replace(/^(python|php|ruby)[\d.]+$/, '$1')
}

interface Language {
  readonly programs: readonly string[]
  readonly files: readonly string[]
}

/**
 * Configuration that is run or that chooses what is run, manifests with the scripts in them, and
 * lock files, which choose the runner itself. Compiler settings count too: they name what is
 * looked at, and loaders take code from them. Test files do not: `stale_after` is for those.
 */
const languages: readonly Language[] = [
  {
    programs: list(`npm npx pnpm pnpx yarn bun bunx node deno tsx ts-node vitest jest mocha ava tap
      tape uvu jasmine karma playwright cypress c8 nyc turbo nx lerna`),
    files:
      list(`package.json package-lock.json npm-shrinkwrap.json pnpm-lock.yaml bun.lock bun.lockb
      pnpm-workspace.yaml yarn.lock .pnp.* .npmrc .yarnrc .yarnrc.yml .pnpmfile.cjs bunfig.toml
      deno.json deno.jsonc deno.lock
      vitest.config.* vitest.workspace.* vite.config.* jest.config.* .mocharc*
      ava.config.* .taprc karma.conf.* playwright.config.* cypress.config.* .c8rc* .nycrc*
      babel.config.* .babelrc* .swcrc tsconfig*.json turbo.json nx.json lerna.json`),
  },
  {
    programs: list(
      `python pytest py.test tox nox unittest nose2 coverage poetry uv hatch pdm pipenv`,
    ),
    files:
      list(`pytest.ini .pytest.ini pyproject.toml tox.ini setup.cfg setup.py conftest.py noxfile.py
      .coveragerc manage.py poetry.lock uv.lock pdm.lock Pipfile Pipfile.lock requirements*.txt
      sitecustomize.py usercustomize.py`),
  },
  {
    programs: list('go gotestsum ginkgo'),
    files: list('go.mod go.sum go.work go.work.sum'),
  },
  {
    programs: list('cargo cargo-nextest'),
    files: list(`Cargo.toml Cargo.lock .cargo/config .cargo/config.toml rust-toolchain
      rust-toolchain.toml .config/nextest.toml`),
  },
  {
    programs: list('bundle rspec rake rails ruby'),
    files: list(`Gemfile Gemfile.lock Rakefile .rspec .rspec-local spec_helper.rb rails_helper.rb
      test_helper.rb .bundle/config`),
  },
  {
    programs: list('phpunit pest composer php'),
    files: list(
      `phpunit.xml phpunit.xml.dist phpunit.dist.xml composer.json composer.lock Pest.php`,
    ),
  },
  {
    programs: list('gradle gradlew'),
    files: list(`*.gradle *.gradle.kts gradle.properties gradlew gradlew.bat gradle-wrapper.*
      libs.versions.toml`),
  },
  { programs: list('mvn mvnw'), files: list('pom.xml mvnw mvnw.cmd .mvn/*') },
  { programs: list('mix'), files: list('mix.exs mix.lock test_helper.exs') },
  {
    programs: list('make gmake just task cmake ctest'),
    files: list(`GNUmakefile makefile Makefile *.mk justfile Justfile .justfile Taskfile.yml
      Taskfile.yaml taskfile.yml taskfile.yaml CMakeLists.txt`),
  },
]

function list(text: string): string[] {
  return text.trim().split(/\s+/)
}

/** Folders of what was fetched or made: a build that copies a manifest changes no test. */
const made =
  /(?:^|\/)(?:node_modules|\.git|\.venv|venv|vendor|target|build|dist|out|coverage|\.tox|\.nox)\//

/** One expression for all names: a workspace may have many thousands of files. */
function matcher(names: readonly string[]): CompiledGlob {
  const pieces = names.map((name) => name.replaceAll(/[.+]/g, '\\$&').replaceAll('*', '[^/]*'))
  const pattern = new RegExp(`(?:^|/)(?:${pieces.join('|')})$`)
  return (path) => pattern.test(path) && !made.test(path)
}
