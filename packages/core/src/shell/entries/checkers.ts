import { phrase } from '../../base/text/phrase.ts'
import type { ProgramEntry } from '../programs/entry.ts'
import { all, passes, reads, writes } from './shape.ts'

const pythonChecks = {
  code: '--init-hook: --load-plugins: --config-file: --python-executable: --cache-dir:',
  flag: '--strict --ignore-missing-imports --show-error-codes -q --max-line-length: -v',
}

/** Linters, formatters and test runners. Most run what the project holds: plugins, tests. */
export const checkers: readonly ProgramEntry[] = [
  reads('shellcheck', {
    options: {
      flag:
        '-C? --color? -i: --include: -e: --exclude: -f: --format: -o: --enable: -S: ' +
        '--severity: -s: --shell: -W: --norc --list-optional -V',
    },
  }),
  reads('gofmt gofumpt', {
    style: 'single',
    options: { write: '-w', writeTo: '-cpuprofile:', flag: '-l -d -e -s -r:' },
  }),
  reads('shfmt', {
    options: {
      write: '-w --write',
      flag: '-l --list -d --diff -i: --indent: -ci -sr -bn -s -ln: --language-dialect: -f',
    },
  }),
  reads('clang-format', {
    readsLists: true,
    options: { write: '-i', flag: '--style: --dry-run -n --Werror' },
  }),
  // It keeps a cache, also when it only checks.
  passes('black', {
    reader: 'only-checks',
    options: { flag: '--check --diff -q --quiet -l: --line-length: -t: --target-version: -v' },
  }),
  writes('isort', 'does_rewrites_files', {
    options: { quiet: '-c --check --check-only --diff', flag: '-q --profile: -l: -v' },
  }),
  writes('rustfmt', 'does_rewrites_files', {
    options: { rehearse: '--check', flag: '--edition: -q -v' },
  }),
  writes('autoflake pyupgrade docformatter yapf autopep8', 'does_rewrites_files'),
  passes('prettier prettierd buf goimports', {
    options: {
      write: '-w --write -i',
      flag: '-c --check -l --list-different --config: --parser: --loglevel: --log-level:',
    },
  }),
  passes('eslint stylelint standard xo oxlint tslint htmlhint markdownlint', {
    options: {
      write: '--fix --fix-type: --init --cache --cache-location: --cache-file:',
      writeTo: '-o: --output-file:',
      load: '--rulesdir: --resolve-plugins-relative-to: -c: --config: --plugin: --parser:',
      flag:
        '--fix-dry-run --ext: -f: --format: --max-warnings: --quiet --no-eslintrc --color ' +
        '--no-color --report-unused-disable-directives --no-error-on-unmatched-pattern',
    },
  }),
  passes('biome rome', {
    why: phrase('does_rewrites_files'),
    options: {
      write: '--write --fix --apply --apply-unsafe --unsafe',
      flag: '--max-diagnostics: --diagnostic-level: --changed --staged --colors: --reporter:',
    },
  }),
  passes('dprint', { sub: { ...all('check', 'pass'), fmt: { does: 'write' } } }),
  passes('ruff', {
    sub: {
      check: {
        does: 'pass',
        options: {
          write: '--fix --fix-only --unsafe-fixes --add-noqa',
          writeTo: '-o: --output-file:',
          flag: '--output-format: --select: --ignore: --exclude: -q --quiet --statistics --diff',
        },
      },
      format: {
        does: 'pass',
        why: phrase('does_rewrites_files'),
        reader: 'only-checks',
        options: { flag: '--check --diff -q --quiet --line-length: --exclude:' },
      },
      ...all('clean', 'write'),
      ...all('rule linter version', 'pass', { options: { flag: '--all --output-format:' } }),
    },
    options: { write: '--fix' },
  }),
  passes('rubocop standardrb', {
    options: {
      write:
        '-a -A -x --auto-correct --autocorrect --auto-correct-all --autocorrect-all ' +
        '--auto-gen-config',
      writeTo: '-o: --out:',
      flag: '-f: --format: --only: --except: -D --parallel --fail-fast',
    },
  }),
  writes(
    'php-cs-fixer phpcbf pint rector swiftformat ktfmt google-java-format stylua scalafmt',
    'does_rewrites_files',
  ),
  passes('ktlint swiftlint detekt', {
    options: { write: '-F --format --fix --autocorrect --auto-correct' },
  }),
  passes('mypy pyright pyflakes bandit', { options: pythonChecks }),
  passes('flake8 pylint', { options: pythonChecks }),
  passes('tox nox unittest minitest phpunit phpstan psalm', {
    options: { flag: '-e: -v -q -s: --filter: -k: discover --verbose --quiet -f -b' },
  }),
  passes('rspec', {
    options: {
      writeTo: '-o: --out:',
      load: '-r: --require: -O: --options: -I:',
      flag: '-e: -f: -t:',
    },
  }),
  passes('pytest py.test', {
    // It runs any file that it is given, whatever its name, and reads options from `@file`.
    codeOperand: '^@|(?:^|/)(?!test_)[^/]*(?<!_test)\\.py$',
    options: {
      writeAlso:
        '--junitxml: --junit-xml: --report-log: --resultlog: --html: --debug? --pastebin? ' +
        '--basetemp: --log-file:',
      write: '--snapshot-update --inline-snapshot? --force-regen --cache-clear',
      code: '-p: -c: --config-file: -o: --override-ini: --rootdir: --confcutdir: --pdbcls: --trace --pdb',
      flag:
        '-k: -m: -n: --tb: --maxfail: -x --exitfirst -v -vv -vvv --verbose -q -qq --quiet ' +
        '-s --capture: -r: -l --showlocals --lf --last-failed --ff --failed-first --nf --co ' +
        '--collect-only --durations: --color: --no-header --no-summary --strict-markers ' +
        '--strict-config --cov? --no-cov --sw --stepwise --ignore: --ignore-glob: ' +
        '--deselect: --timeout: --markers --fixtures -rA -ra ' +
        '-rs -rf -rx --runslow --disable-warnings --log-level: --log-cli-level: --dist:',
    },
  }),
  passes('jest vitest mocha ava tap playwright cypress', {
    options: {
      write: '-u --update --updateSnapshot --update-snapshots --init',
      writeAlso: '--outputFile: --output-file: --coverageDirectory: --outputDir:',
      load: '-c: --config: -r: --require: --root: --dir: --globalSetup: --reporters:',
      flag:
        '--run --reporter: -t: --testNamePattern: --watch --watchAll --coverage --silent ' +
        '--verbose --bail -i --runInBand --maxWorkers: --ci --passWithNoTests --project: ' +
        '--grep: -g: -f: --timeout: --forceExit --detectOpenHandles --onlyChanged --related ' +
        '--no-coverage --changed --shard: --retry: --pool: --no-color --headed --workers:',
    },
  }),
  passes('ctest', { options: { writeAlso: '-O: --output-log: --output-junit:' } }),
  passes('nodemon', { options: { run: '-x: --exec:' } }),
  passes('coverage nyc c8', {
    sub: all('html xml json lcov erase combine annotate', 'write'),
  }),
  passes('dasel crudini', {
    changeOperand: '^(?:put|delete)$',
    options: { write: '--set --del --merge' },
  }),
  writes('dot neato twopi circo fdp sfdp osage patchwork', 'does_writes_files'),
]
