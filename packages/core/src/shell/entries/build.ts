import { phrase } from '../../base/text/phrase.ts'
import type { ProgramEntry } from '../programs/entry.ts'
import { all, changes, passes, writes } from './shape.ts'

const goals = 'clean|distclean|mrproper|realclean|install|uninstall|deploy|release|publish|upload'

const cargoOptions = {
  code: '--config: --manifest-path: --target-dir: -Z:',
  write: '--fix',
  flag:
    '-p: --package: --workspace --all --exclude: --lib --bin: --bins --example: ' +
    '--examples --test: --tests --bench: --benches --all-targets --doc --no-run ' +
    '--no-fail-fast -j: --jobs: -r --release --profile: -F: --features: ' +
    '--all-features --no-default-features --target: --message-format: -v --verbose ' +
    '-q --quiet --color: --locked --offline --frozen --keep-going',
}

const goOptions = {
  writeAlso:
    '-o: -coverprofile: -cpuprofile: -memprofile: -blockprofile: -mutexprofile: ' +
    '-trace: -outputdir: -test.testlogfile: -test.coverprofile: -test.gocoverdir:',
  write: '-c',
  program: '-exec: -toolexec: -vettool:',
  code: '-ldflags: -gcflags: -asmflags: -overlay: -modfile: -C:',
  flag:
    '-v -run: -bench: -count: -race -short -timeout: -cover -covermode: -coverpkg: ' +
    '-parallel: -tags: -json -failfast -list: -skip: -shuffle: -vet: -p: -n -x ' +
    '-benchmem -benchtime: -cpu: -args',
}

/** Compilers, builders, and formatters that write what they were asked to. */
export const build: readonly ProgramEntry[] = [
  // A module is written even where only the syntax is checked.
  writes('gfortran tcc emcc icc nvcc', 'does_writes_what_compiles', {
    style: 'single',
    readsLists: true,
    options: { writeTo: '-o:', quiet: '-dumpversion -dumpmachine', flag: '-v -Wall' },
  }),
  writes('gcc g++ cc c++ clang clang++', 'does_writes_what_compiles', {
    style: 'single',
    readsLists: true,
    options: {
      writeTo: '-o:',
      load: '-fplugin? -B: -specs?',
      program: '-wrapper:',
      quiet: '-dumpversion -dumpmachine',
      // What a source includes is read and shown, wherever it lies.
      rehearse: '-fsyntax-only -E -M -MM',
      flag: '-Wall -Wextra -Werror -std: -I: -D: -x: -include: -isystem: -v',
    },
  }),
  writes('as gas ld gold lld nasm yasm', 'does_writes_what_assembles', {
    options: { writeTo: '-o:' },
  }),
  writes('rustc', 'does_writes_what_compiles', {
    options: { rehearse: '-V', writeTo: '-o:' },
  }),
  writes('ghc', 'does_writes_what_compiles', { options: { quiet: '-V', writeTo: '-o:' } }),
  writes('ocamlc ocamlopt kotlinc scalac swiftc dmd zig crystal nim', 'does_writes_what_compiles', {
    options: { writeTo: '-o:' },
  }),
  // It tells its version and compiles what it is given beside.
  writes('javac groovyc', 'does_writes_classes', {
    style: 'single',
    options: { flag: '-version' },
  }),
  passes('java', { style: 'single', readsLists: true, options: { rehearse: '-version' } }),
  writes('tsc', 'does_emits_files', {
    style: 'single',
    reader: 'tsc',
    options: {
      quiet: '--showConfig --listFilesOnly -v -h --all',
      change: '--init --build -b',
      writeAlso: '--outFile: --outDir: --generateTrace: --tsBuildInfoFile: --generateCpuProfile:',
      flag:
        '-p: --project: --target: -t: --module: -m: --pretty --strict --skipLibCheck --force ' +
        '--verbose --declaration --sourceMap -w --watch --incremental',
    },
  }),
  writes('protoc flatc thrift swagger-codegen openapi-generator', 'does_generates_files'),
  writes('bison yacc flex lex antlr4 gperf cython', 'does_generates_files'),
  writes('esbuild rollup webpack parcel swc babel sass lessc postcss', 'does_writes_bundle', {}),
  passes('vite next nuxt astro remix', {
    sub: all('build', 'write', { why: phrase('does_writes_bundle') }),
  }),
  passes('make gmake bmake', {
    reader: 'make',
    why: phrase('does_changes_files'),
    changeOperand: `^(?:${goals}|format|fmt|fix|generate|gen|dist|package)$`,
    options: {
      code: '--eval: -E: -f: --file: --makefile: -C: --directory: -I: --include-dir:',
      environment: '-p --print-data-base -e --environment-overrides',
      flag:
        '-j? --jobs? -l? -o: -W: -s --silent --quiet -k --keep-going -n --dry-run ' +
        '--just-print -B --always-make -i -q --question --no-print-directory -w -d --trace',
      write: '-t --touch',
    },
  }),
  passes('ninja', { options: { code: '-f: -C:', flag: '-j: -k: -l: -n -v -d: -t:' } }),
  passes('just task', {}),
  writes('cmake', 'does_writes_build_files', { reader: 'cmake' }),
  writes('meson configure autoconf automake autoreconf libtool scons', 'does_writes_build_files'),
  passes('mvn mvnw gradle gradlew sbt ant bazel bazelisk lein mill', {
    why: phrase('does_changes_files_publishes'),
    changeOperand:
      `^(?:.*:)?(?:${goals}|package|build|assemble|jar|spotlessApply|format|fmt|dist|` +
      'bootJar|publish.*|release:.*|versions:set|wrapper)$',
    options: {
      flag:
        '-q -o -B -pl: -am -T: -x: -i -s -U --offline --quiet --info --stacktrace --no-daemon ' +
        '--daemon --parallel --continue --rerun-tasks --scan --console: --warning-mode: --tests: ' +
        '--no-build-cache --build-cache -DskipTests -e -X -ntp --no-transfer-progress -fae -ff',
    },
  }),
  // A file of the project may name the toolchain that is started in its place.
  passes('cargo', {
    why: phrase('does_changes_files'),
    options: { flag: '--color: -q --quiet -v --verbose --offline --locked --frozen' },
    sub: {
      ...all('check c test t bench run r nextest miri clippy', 'pass', {
        options: cargoOptions,
        behind: {
          writeAlso: '--logfile:',
          code: '-C: --config:',
          flag:
            '--nocapture --no-capture --test-threads: --skip: --exact --list --ignored ' +
            '--include-ignored --show-output -q --quiet --format: --color: -Z: -D: -W: -A: -F: ' +
            '--bench --test --report-time',
        },
      }),
      ...all('version help', 'pass'),
      // These may write the lock file, and start the compiler that the project names.
      ...all('tree metadata locate-project pkgid', 'pass', {
        options: {
          flag:
            '--no-deps --format-version: --locked --offline --frozen -e: --edges: -i: --invert: ' +
            '-d --duplicates --depth: --prefix: -p: --package: --workspace --all-features ' +
            '--no-default-features -F: --features: --filter-platform: --target: --message-format:',
        },
      }),
      ...all('search', 'pass', { options: { flag: '--limit:' } }),
      ...all('build b doc d', 'write', { options: cargoOptions }),
      ...all('rustc rustdoc package clean fix add rm remove update', 'write'),
      ...all('uninstall publish yank owner login logout init new vendor', 'change'),
      install: { does: 'change', options: { rehearse: '--list' } },
      ...all('generate-lockfile fetch upgrade set-version release', 'change'),
      fmt: { does: 'write', why: phrase('does_rewrites_files'), reader: 'cargo-fmt' },
    },
  }),
  passes('go', {
    why: phrase('does_changes_files'),
    sub: {
      'test vet': {
        does: 'pass',
        // A path outside, or a package that is fetched.
        codeOperand: '@|^/',
        style: 'single',
        options: goOptions,
      },
      // From 1.21 on each of them first loads and runs the toolchain that go.mod names.
      ...all('version doc help', 'pass', {
        style: 'single',
        options: { flag: '-m -v -all -src -u -short -c -cmd' },
      }),
      env: { does: 'pass', style: 'single', options: { flag: '-json', change: '-w -u' } },
      // It may fetch what is missing, and the compiler that the project names.
      ...all('list', 'pass', {
        style: 'single',
        options: { program: '-toolexec:', flag: '-m -f: -json -deps -test -e -u -versions -find' },
      }),
      fmt: { does: 'write', options: { rehearse: '-n' } },
      fix: { does: 'write' },
      mod: { does: 'change', sub: all('graph why verify', 'pass') },
      ...all('run', 'pass'),
      ...all('build install', 'change', { style: 'single', options: goOptions }),
      ...all('get generate clean work tool', 'change'),
    },
  }),
  passes('dotnet', {
    why: phrase('does_changes_files'),
    sub: {
      ...all('test run watch vstest', 'pass'),
      ...all('build publish pack clean format restore', 'write'),
      ...all('add remove new nuget tool sln workload', 'change'),
    },
    options: { rehearse: '--info --list-sdks --list-runtimes' },
  }),
  passes('dart swift flutter mix rebar3 stack cabal', {
    why: phrase('does_changes_files'),
    changeOperand:
      `^(?:${goals}|build|format|get|upgrade|create|new|init|pub|deps\\.get|` +
      'ecto\\..*|compile)$',
    options: { write: '--apply' },
  }),
  writes('mksquashfs genisoimage mkisofs xorriso dd_rescue', 'does_writes_image'),
  changes(
    'prisma alembic flyway liquibase knex sequelize typeorm dbmate rake rails artisan',
    'does_changes_data',
    // Each starts the project's own code.
    { sub: all('routes about stats test', 'pass') },
  ),
]
