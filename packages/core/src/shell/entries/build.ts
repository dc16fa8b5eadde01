import { phrase } from '../../base/text/phrase.ts'
import type { ProgramEntry } from '../programs/entry.ts'
import { all, changes, passes, reads, writes } from './shape.ts'

const compiler = {
  options: {
    quiet: '-fsyntax-only -E -M -MM -dumpversion -dumpmachine -dumpspecs -### --print?',
    writeTo: '-o:',
    load: '-fplugin? -B: -specs?',
    program: '-wrapper:',
    flag: '-I: -D: -L: -l: -x: -include: -isystem:',
  },
}
const goals = 'clean|distclean|mrproper|realclean|install|uninstall|deploy|release|publish|upload'

/** Compilers, formatters, linters and test runners. */
export const build: readonly ProgramEntry[] = [
  writes(
    'gcc g++ cc c++ clang clang++ gfortran tcc emcc icc nvcc',
    'does_writes_what_compiles',
    compiler,
  ),
  writes('as gas ld gold lld nasm yasm', 'does_writes_what_assembles', {
    options: { writeTo: '-o:' },
  }),
  writes(
    'rustc ghc ocamlc ocamlopt kotlinc scalac swiftc dmd zig crystal nim',
    'does_writes_what_compiles',
    {
      options: { quiet: '--print: --explain: -V', writeTo: '-o:' },
    },
  ),
  writes('javac groovyc', 'does_writes_classes', { options: { quiet: '-version' } }),
  writes('tsc', 'does_emits_files', {
    style: 'single',
    reader: 'tsc',
    options: {
      quiet:
        '-noEmit --noEmit -showConfig --showConfig -listFilesOnly --listFilesOnly ' + '-v -h --all',
      write: '--init -init',
      writeAlso: '--outFile: -outFile: --generateTrace: --tsBuildInfoFile: --generateCpuProfile:',
      flag: '-p: --project: --target: -t: --module: -m:',
    },
  }),
  writes('protoc flatc thrift swagger-codegen openapi-generator', 'does_generates_files', {
    options: { quiet: '-version' },
  }),
  writes('bison yacc flex lex antlr4 gperf cython', 'does_generates_files', {
    options: { quiet: '-V' },
  }),
  writes('esbuild rollup webpack parcel swc babel sass lessc postcss', 'does_writes_bundle', {
    bare: 'read',
    options: { quiet: '-v' },
  }),
  passes('vite next nuxt astro remix', {
    sub: all('build', 'write', { why: phrase('does_writes_bundle') }),
  }),
  passes('make gmake bmake ninja just', {
    reader: 'make',
    why: phrase('does_changes_files'),
    changeOperand: `^(?:${goals}|format|fmt|fix|generate|gen|dist|package)$`,
    options: {
      quiet: '-v -h',
      code: '--eval: -E:',
      environment: '-p --print-data-base',
      flag:
        '-C: -f: -j? -l? -o: -W: -I: --directory: --file: --makefile: --jobs? -t: -d: ' +
        '-s -k -n -B -i -q',
      write: '--touch',
    },
  }),
  writes('cmake', 'does_writes_build_files', { reader: 'cmake' }),
  writes('meson configure autoconf automake autoreconf libtool scons', 'does_writes_build_files', {
    readOperand: '^(?:test|introspect)$',
  }),
  passes('mvn mvnw gradle gradlew sbt ant bazel bazelisk lein mill', {
    why: phrase('does_changes_files_publishes'),
    changeOperand:
      `^(?:.*:)?(?:${goals}|package|build|assemble|jar|spotlessApply|format|fmt|dist|` +
      'bootJar|publish.*|release:.*|versions:set|wrapper)$',
    options: { flag: '-f: -pl: -P: -D: -p: -b: -c: -I:' },
  }),
  passes('cargo', {
    bare: 'read',
    why: phrase('does_changes_files'),
    options: { flag: '--config: -Z: -C: --color: --manifest-path:' },
    sub: {
      ...all('check c test t bench run r nextest miri audit deny expand', 'pass', {
        options: { code: '--config:' },
      }),
      ...all('tree metadata search locate-project pkgid verify-project version help', 'read'),
      ...all('build b rustc doc d rustdoc package clean fix add rm remove update', 'write'),
      ...all('uninstall publish yank owner login logout init new vendor', 'change'),
      install: { does: 'change', options: { quiet: '--list' } },
      ...all('generate-lockfile fetch upgrade set-version release', 'change'),
      clippy: { does: 'pass', options: { write: '--fix' } },
      fmt: { does: 'write', why: phrase('does_rewrites_files'), reader: 'cargo-fmt' },
    },
  }),
  passes('go', {
    bare: 'read',
    why: phrase('does_changes_files'),
    options: { flag: '-C:' },
    sub: {
      'test vet': {
        does: 'pass',
        style: 'single',
        options: {
          writeAlso:
            '-o: -coverprofile: -cpuprofile: -memprofile: -blockprofile: -mutexprofile: ' +
            '-trace: -outputdir:',
          write: '-c',
          program: '-exec: -toolexec: -vettool:',
        },
      },
      ...all('list version doc help tool telemetry', 'read', {
        style: 'single',
        options: { program: '-toolexec:' },
      }),
      env: { does: 'read', options: { change: '-w -u' }, environment: true },
      build: {
        does: 'write',
        style: 'single',
        options: { writeTo: '-o:', program: '-toolexec:', quiet: '-n' },
      },
      run: { does: 'pass', style: 'single', options: { program: '-exec: -toolexec:' } },
      fmt: { does: 'write', options: { quiet: '-n' } },
      fix: { does: 'write', options: { quiet: '-diff' } },
      mod: { does: 'change', sub: all('graph why verify', 'read') },
      work: { does: 'change' },
      ...all('get install generate clean', 'change'),
    },
  }),
  passes('dotnet', {
    why: phrase('does_changes_files'),
    sub: {
      ...all('test run watch vstest', 'pass'),
      ...all('build publish pack clean format restore', 'write'),
      ...all('add remove new nuget tool sln workload', 'change', {
        readOperand: '^(?:list|search)$',
      }),
      ...all('list', 'read'),
    },
    options: { quiet: '--info --list-sdks --list-runtimes' },
  }),
  passes('dart', {
    why: phrase('does_changes_files'),
    changeOperand: `^(?:${goals}|format|compile|create|pub)$`,
    options: { write: '--apply' },
  }),
  passes('swift flutter mix rebar3 stack cabal', {
    why: phrase('does_changes_files'),
    changeOperand:
      `^(?:${goals}|build|format|get|upgrade|create|new|init|pub|deps\\.get|` +
      'ecto\\..*|compile)$',
  }),
  writes('isort', 'does_rewrites_files', {
    options: { quiet: '-c --check --check-only --diff -d --show-files --show-config' },
  }),
  writes('black rustfmt autoflake pyupgrade docformatter', 'does_rewrites_files', {
    options: {
      quiet: '--check --diff --check-only --stdout --print-config: -df',
      flag:
        '-l: --line-length: -t: --target-version: --include: --exclude: --config: ' +
        '--edition: -c: --code:',
    },
  }),
  reads('yapf autopep8 clang-format shfmt gofmt goimports gofumpt prettier prettierd buf', {
    options: {
      write: '-i --in-place -w --write',
      flag: '-l -d -e -s -r --check -c --config: --parser:',
    },
  }),
  passes('eslint stylelint standard xo oxlint tslint htmlhint markdownlint', {
    options: {
      write: '--fix --fix-type: --init --cache',
      writeTo: '-o: --output-file:',
      load: '--rulesdir: --resolve-plugins-relative-to:',
      flag: '--fix-dry-run -c: --config: --ext: -f: --format: --max-warnings:',
    },
  }),
  passes('biome rome', {
    why: phrase('does_rewrites_files'),
    options: { write: '--write --fix --apply --apply-unsafe' },
  }),
  passes('dprint', { sub: { ...all('check output-file-paths', 'read'), fmt: { does: 'write' } } }),
  passes('ruff', {
    sub: {
      check: {
        does: 'pass',
        options: {
          write: '--fix --fix-only --unsafe-fixes --add-noqa',
          writeTo: '-o: --output-file:',
        },
      },
      format: {
        does: 'write',
        why: phrase('does_rewrites_files'),
        options: { quiet: '--check --diff' },
      },
      ...all('clean', 'write'),
      ...all('rule config linter version', 'read'),
    },
    options: { write: '--fix' },
  }),
  passes('rubocop standardrb', {
    options: {
      write:
        '-a -A -x --auto-correct --autocorrect --auto-correct-all --autocorrect-all ' +
        '--auto-gen-config',
      writeTo: '-o: --out:',
    },
  }),
  writes(
    'php-cs-fixer phpcbf pint rector swiftformat ktfmt google-java-format stylua',
    'does_rewrites_files',
    {
      options: { quiet: '--dry-run --test --lint --dryrun --check' },
      readOperand: '^(?:describe|list-files|check)$',
    },
  ),
  passes('ktlint swiftlint detekt', {
    options: { write: '-F --format --fix --autocorrect --auto-correct' },
  }),
  writes('scalafmt', 'does_rewrites_files', { options: { quiet: '--check --test --list' } }),
  passes(
    'mypy pyright flake8 pylint pyflakes bandit tox nox unittest rspec minitest ' +
      'phpunit phpstan psalm',
  ),
  passes('pytest py.test', {
    options: {
      writeAlso:
        '--junitxml: --junit-xml: --report-log: --resultlog: --html: --debug? --pastebin? ' +
        '--basetemp:',
      write: '--snapshot-update --inline-snapshot? --force-regen --cache-clear',
      flag:
        '-o: --override-ini: -k: -m: -p: -c: -n: -W: --rootdir: --cov: --cov-report: ' +
        '--tb: --maxfail: --lf --co --collect-only',
    },
  }),
  passes('jest vitest mocha ava tap playwright cypress', {
    options: {
      write: '-u --update --updateSnapshot --update-snapshots --init',
      writeAlso: '--outputFile: --output-file:',
    },
  }),
  reads('dot neato twopi circo fdp sfdp osage patchwork', {
    options: { writeTo: '-o:', write: '-O', flag: '-T: -K: -G: -N: -E: -l: -s: -q: -v -V -?' },
  }),
  passes('ctest', { options: { writeAlso: '-O: --output-log: --output-junit:' } }),
  passes('nodemon', { options: { run: '-x: --exec:' } }),
  passes('dasel crudini', {
    changeOperand: '^(?:put|delete)$',
    options: { write: '--set --del --merge' },
  }),
  writes('mksquashfs genisoimage mkisofs xorriso dd_rescue', 'does_writes_image'),
  passes('coverage nyc c8', {
    sub: {
      ...all('report debug', 'read'),
      ...all('html xml json lcov erase combine annotate', 'write'),
    },
  }),
  changes('terraform tofu terragrunt', 'does_changes_infrastructure_state', {
    options: { flag: '-chdir:', quiet: '-help' },
    sub: {
      ...all('show output validate version providers graph', 'read'),
      plan: {
        does: 'pass',
        style: 'single',
        options: { writeAlso: '-out: -generate-config-out:' },
      },
      fmt: { does: 'write', style: 'single', options: { quiet: '-check' } },
      state: { does: 'change', sub: all('list show pull', 'read') },
      workspace: { does: 'change', sub: all('list show', 'read') },
    },
  }),
  changes(
    'prisma alembic flyway liquibase knex sequelize typeorm dbmate rake rails artisan',
    'does_changes_data',
    {
      readOperand:
        '^(?:validate|current|history|info|status|heads|show|routes|-T|--tasks|test|' +
        'about|stats|list)$',
      options: { quiet: '-T --tasks' },
    },
  ),
]
