import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { compileWorkflow } from '@statewright/core/internal'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { definedFacts } from './defining-files.ts'
import { digestFacts } from './file-digests.ts'

interface Fact {
  readonly command?: string
  readonly defined_by?: string[]
  readonly runner_files?: boolean
  readonly stale_after?: string[]
}

let folder: string
let root: string

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'statewright-defining-')))
  root = join(folder, 'project')
  mkdirSync(root)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const put = (file: string, text = 'x') => {
  mkdirSync(dirname(join(root, file)), { recursive: true })
  writeFileSync(join(root, file), text)
}

const machine = (fact: Fact) =>
  compileWorkflow({
    id: 'w',
    initial: 'a',
    states: { a: { type: 'final' } },
    evidence: { tests: { tool: 'Bash', ...fact } },
  })

const filesOf = (command: string, fact: Fact = {}) =>
  definedFacts(machine({ command, ...fact }).evidence.values(), root)[0]?.defined_by

describe('WF-31c: files that count for a known runner', () => {
  // Of all of them, those of the runner count: sources, tests and what was made do not.
  const project = `src/a.ts test/a.test.ts src/test_a.py dist/package.json .venv/x/conftest.py
    target/package/Cargo.toml package.json package-lock.json vitest.config.ts .npmrc tsconfig.json
    .pnp.cjs packages/a/jest.config.cjs .mocharc.yml pytest.ini pyproject.toml tox.ini setup.cfg
    conftest.py tests/deep/conftest.py go.mod go.sum Cargo.toml Cargo.lock .cargo/config.toml .rspec
    spec/spec_helper.rb Gemfile phpunit.xml.dist composer.json app/build.gradle.kts gradlew pom.xml
    .mvn/jvm.config Makefile`.split(/\s+/)

  const javascript = [
    ...['.mocharc.yml', '.npmrc', '.pnp.cjs', 'package-lock.json', 'package.json'],
    ...['packages/a/jest.config.cjs', 'tsconfig.json', 'vitest.config.ts'],
  ]
  const python = [
    ...['conftest.py', 'pyproject.toml', 'pytest.ini', 'setup.cfg', 'tests/deep/conftest.py'],
    'tox.ini',
  ]
  const rust = ['.cargo/config.toml', 'Cargo.lock', 'Cargo.toml']
  const ruby = ['.rspec', 'Gemfile', 'spec/spec_helper.rb']

  test.each<[string, readonly string[]]>([
    ['npm test', javascript],
    ['pnpm test', javascript],
    ['yarn test', javascript],
    ['bun run test', javascript],
    ['npx vitest run', javascript],
    ['node --test', javascript],
    ['./node_modules/.bin/jest', javascript],
    ['playwright test', javascript],
    ['cypress run', javascript],
    ['pytest -q', python],
    ['python3.12 -m unittest', python],
    ['tox', python],
    ['nox', python],
    ['go test ./...', ['go.mod', 'go.sum']],
    ['cargo test', rust],
    ['bundle exec rspec', ruby],
    ['vendor/bin/phpunit', ['composer.json', 'phpunit.xml.dist']],
    ['./gradlew test', ['app/build.gradle.kts', 'gradlew']],
    ['mvn test', ['.mvn/jvm.config', 'pom.xml']],
    ['make check', ['Makefile']],
  ])('%s', (command, expected) => {
    for (const file of project) put(file)
    expect(filesOf(command)).toEqual(expected)
  })

  test('a script or a recipe is followed one step', () => {
    for (const file of ['conftest.py', 'Makefile']) put(file, 'check:\n\tpytest -q\n')
    put('package.json', '{"scripts": {"test": "pytest -q"}}')
    expect(filesOf('npm test')).toEqual(['conftest.py', 'package.json'])
    expect(filesOf('make check')).toEqual(['Makefile', 'conftest.py'])
  })

  test('what the author names counts beside them, and alone where runner_files is false', () => {
    for (const file of ['go.mod', 'ci/run.sh', 'src/a.go']) put(file)
    const defined_by = ['ci/**']
    expect(filesOf('go test', { defined_by })).toEqual(['ci/run.sh', 'go.mod'])
    expect(filesOf('go test', { defined_by, runner_files: false })).toEqual(['ci/run.sh'])
    expect(filesOf('go test', { runner_files: false })).toEqual([])
    expect(filesOf('./check')).toEqual([])
  })
})

describe('WF-31c: programs that a project brings along', () => {
  test('are found by link, by package and in the folders above', () => {
    put('package.json', '{"scripts": {"test": "vitest run && custom"}}')
    put('node_modules/.bin/custom')
    put('node_modules/.bin/unrelated')
    put('node_modules/vitest/vitest.mjs')
    symlinkSync('../vitest/vitest.mjs', join(root, 'node_modules/.bin/vitest'))
    // As pnpm does: a script in place of a link, and the program in the package of its name.
    put('../node_modules/.bin/jest')
    put('../node_modules/jest/package.json', '{"bin": {"jest": "./bin/jest.js"}}')
    put('../node_modules/jest/bin/jest.js')
    expect(filesOf('npm test')).toEqual([
      '../node_modules/.bin/jest',
      '../node_modules/jest/bin/jest.js',
      '../node_modules/jest/package.json',
      'node_modules/.bin/custom',
      'node_modules/.bin/vitest',
      'node_modules/vitest/vitest.mjs',
      'package.json',
    ])
  })

  test('of Python lie in its environment, or stand in the way of a module', () => {
    for (const file of [
      '.venv/bin/pytest',
      '.venv/lib/python3.12/site-packages/pytest/__main__.py',
    ])
      put(file)
    put('pytest.py')
    expect(filesOf('python -m pytest')).toEqual([
      '.venv/bin/pytest',
      '.venv/lib/python3.12/site-packages/pytest/__main__.py',
      'pytest.py',
    ])
  })
})

describe('WF-31c: the digest of what says what a command does', () => {
  const digest = (fact: Fact) => digestFacts(machine(fact), ['tests'], root).tests?.definedBy

  test('follows every one of these files, and is none where there are none', () => {
    put('go.mod')
    const first = digest({ command: 'go test' })
    expect(first).toMatch(/^[0-9a-f]{64}$/)
    expect(digest({ command: 'go test' })).toBe(first)
    put('go.sum')
    const second = digest({ command: 'go test' })
    expect(second).not.toBe(first)
    put('go.mod', 'y')
    expect(digest({ command: 'go test' })).not.toBe(second)
    expect(digest({ command: './check' })).toBeNull()
    expect(digest({ command: 'go test', runner_files: false })).toBeNull()
  })

  test('is never the same twice where one of them cannot be read', () => {
    mkdirSync(join(root, 'x'))
    symlinkSync('nowhere', join(root, 'go.mod'))
    const fact = { command: 'go test' }
    expect(digest(fact)).not.toBe(digest(fact))
  })
})

describe('WF-31c: what would run instead of the tests', () => {
  test('a shell among the programs of the project', () => {
    put('package.json', '{"scripts":{"test":"node --test"}}')
    const before = filesOf('npm test')
    put('node_modules/.bin/sh', 'exit 0')
    expect(filesOf('npm test')).toEqual([...(before ?? []), 'node_modules/.bin/sh'].sort())
  })

  test('a module in the place of one of Python', () => {
    put('pytest.ini')
    put('argparse.py', 'import os; os._exit(0)')
    put('own_module.py')
    for (const command of ['python3 -m unittest', 'python -m pytest']) {
      expect(filesOf(command)).toContain('argparse.py')
      expect(filesOf(command)).not.toContain('own_module.py')
    }
  })

  test.each([
    ['sh ./run-tests.sh', ['run-tests.sh']],
    ['bash -e run-tests.sh && node scripts/report.js', ['run-tests.sh', 'scripts/report.js']],
    ['CI=1 ./run-tests.sh src', ['run-tests.sh']],
    ['node --test a.test.js', []],
    ['python -m pytest tests/test_a.py', []],
    ['vitest run a.test.js', []],
  ])('a script that "npm test" starts: %s', (script, started) => {
    for (const file of ['run-tests.sh', 'scripts/report.js', 'a.test.js', 'tests/test_a.py']) {
      put(file)
    }
    put('package.json', JSON.stringify({ scripts: { test: script } }))
    const files = filesOf('npm test') ?? []
    const own = files.filter((file) => file !== 'package.json')
    expect(own).toEqual(started)
  })

  test('a script that is the command itself, or that a Makefile starts', () => {
    put('check')
    put('ci/run.sh')
    put('Makefile', 'check:\n\t@sh ci/run.sh\n')
    expect(filesOf('./check')).toEqual(['check'])
    expect(filesOf('make check')).toContain('ci/run.sh')
    expect(filesOf('./check', { runner_files: false })).toEqual([])
  })

  test.each(['unittest.pyc', 'unittest/__init__.pyc', 'signal.pyc', 'difflib.abi3.so'])(
    'a compiled module in the place of one of Python: %s',
    (file) => {
      put(file)
      expect(filesOf('python3 -m unittest')).toContain(file)
    },
  )

  test.each([
    ['node scripts/run', 'scripts/run.js'],
    ['bash -c "scripts/t"', 'scripts/t'],
    ['env X=1 scripts/t', 'scripts/t'],
    ['timeout 60 scripts/t', 'scripts/t'],
    ['cross-env CI=1 node scripts/t.mjs', 'scripts/t.mjs'],
    ['. ./scripts/t', 'scripts/t'],
    ['sh < scripts/t', 'scripts/t'],
    ['T=scripts/t; $T', 'scripts/t'],
    ['node --import ./setup.mjs --test', 'setup.mjs'],
    ['node --require=./s/setup.cjs --test', 's/setup.cjs'],
    ['node --experimental-loader ./s/l.mjs --test', 's/l.mjs'],
    ['node --test --test-reporter=./s/rep.mjs', 's/rep.mjs'],
    ['node --env-file=conf/t.env --test', 'conf/t.env'],
    ['npm run unit', 'scripts/unit.sh'],
    ['cd lib && sh run.sh', 'lib/run.sh'],
    ['npm --prefix lib run inner', 'lib/in.sh'],
    ['make check', 'scripts/made.sh'],
    ['just unit', 'scripts/made.sh'],
    ['task unit', 'scripts/made.sh'],
    ['sh scripts/deep.sh', 'scripts/deeper.sh'],
    ['vitest run', 'vitest.shared.ts'],
    ['xargs -n1 sh < scripts/list', 'scripts/list'],
    ['python3 -m tools.check', 'tools/check.py'],
  ])(
    'a file that "npm test" reaches by an option, a wrapper or another script: %s',
    (test, file) => {
      put('package.json', JSON.stringify({ scripts: { test, unit: 'sh scripts/unit.sh' } }))
      put('lib/package.json', '{"scripts": {"inner": "./in.sh"}}')
      put('Makefile', 'check:\n\ttimeout 9 scripts/made.sh\n')
      put('justfile', 'unit:\n  @scripts/made.sh\n')
      put('Taskfile.yml', 'tasks:\n  unit:\n    cmds:\n      - scripts/made.sh\n')
      put('scripts/deep.sh', 'DIR=$(dirname "$0")\n. "$DIR/deeper.sh"\n')
      put('vitest.config.ts', "import shared from './vitest.shared'\nexport default shared\n")
      if (file !== 'scripts/deep.sh') put(file)
      expect(filesOf('npm test')).toContain(file)
    },
  )

  test('a file or a folder called like what make is to run', () => {
    put('Makefile', 'check: unit app\n\t./run.sh\nunit:\n\t./u.sh\napp: a.c\n\tcc -o $@ a.c\n')
    for (const file of ['check', 'app', 'a.c']) put(file)
    mkdirSync(join(root, 'unit'))
    expect(filesOf('make check')).toEqual(['Makefile', 'check', 'unit/'])
    put('package.json', '{"scripts": {"test": "make check"}}')
    expect(filesOf('npm test')).toEqual(['Makefile', 'check', 'package.json', 'unit/'])
  })

  test('what a makefile includes, but not the dependencies that a compiler writes', () => {
    put('Makefile', 'check:\n\ttrue\ninclude conf.inc\n-include new.d $(DEPS)\n')
    put('conf.inc', 'SHELL=/bin/sh\n')
    put('obj/a.d', 'a.o: a.c \\\n  a.h\n\na.h:\n')
    expect(filesOf('make check')).toEqual(['Makefile', 'conf.inc'])
    put('new.d', 'SHELL=/bin/true\n')
    put('obj/b.d', 'check: ; true\n')
    expect(filesOf('make check')).toEqual(['Makefile', 'conf.inc', 'new.d', 'obj/b.d'])
  })

  test.each([
    ['node --test', 'npm test'],
    ['vitest run src test', 'npm test'],
    ['jest --coverage lib/a.js', 'npm test'],
    ['tsc --noEmit && eslint . && prettier --check README.md && vitest', 'npm test'],
    ['', 'pytest tests'],
    ['', 'python3 -m pytest lib'],
    ['', 'go test ./...'],
    ['', 'cargo test'],
    ['', 'make check'],
  ])('and not sources, tests, prose or what is built: %s (%s)', (script, command) => {
    put('package.json', JSON.stringify({ main: 'lib/a.js', scripts: { test: script } }))
    put(
      'Makefile',
      'check: build/app\n\tbuild/app --test tests/a.js\nbuild/app: lib/a.c\n\tcc -o $@ $<\n',
    )
    put('vitest.config.ts', "export default { test: { setupFiles: ['./test/setup.ts'] } }")
    put('conftest.py', 'from lib import a\nfrom tests.helper import b\n')
    const sources = ['lib/a.js', 'lib/a.c', 'lib/a.py', 'lib/__init__.py', 'src/a.ts', 'README.md']
    const others = ['test/setup.ts', 'tests/helper.py', 'tests/a.js', 'a.test.js', 'dist/lib/a.js']
    for (const file of [...sources, ...others]) put(file)
    const files = definedFacts(
      machine({ command, stale_after: ['lib/**', 'src/**'] }).evidence.values(),
      root,
    )[0]?.defined_by
    expect(files?.filter((file) => sources.includes(file) || others.includes(file))).toEqual([])
  })
})

describe('WF-31: files of a workspace', () => {
  test('packages count where no package manager puts them', () => {
    const fact = { command: 'npm test', stale_after: ['src/**', 'lib/**'] }
    const digest = () => digestFacts(machine(fact), ['tests'], root).tests?.stale
    put('src/node_modules/q/a.js')
    put('lib/package.json')
    put('lib/node_modules/q/a.js')
    const before = digest()
    put('lib/node_modules/q/a.js', 'y')
    expect(digest()).toBe(before)
    put('src/node_modules/q/a.js', 'y')
    expect(digest()).not.toBe(before)
  })
})
