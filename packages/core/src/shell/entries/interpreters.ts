import type { ProgramEntry } from '../programs/entry.ts'
import { passes, writes } from './shape.ts'

/**
 * Interpreters. Code that is given on the command line or by the input is not read here: another
 * language has more ways to write than a table can tell. A script by its name is run as tests are.
 */
const script = { style: 'posix' as const, bare: 'opaque' as const }

export const interpreters: readonly ProgramEntry[] = [
  passes('bash sh dash', { reader: 'shell' }),
  passes('ash ksh mksh zsh rbash posh yash', { reader: 'other-shell' }),
  passes('fish csh tcsh pwsh powershell nu elvish xonsh rc es', { reader: 'other-shell' }),
  passes('python python3 python2 pypy pypy3', {
    ...script,
    reader: 'python',
    options: { quiet: '-V -VV -h', code: '-c:', flag: '-B -E -I -O -q -s -S -u' },
  }),
  passes('node nodejs', {
    ...script,
    options: {
      quiet: '-v -h -c --check',
      code: '-e: --eval: -p: --print: -pe:',
      load: '-r: --require: --import: --loader:',
      flag: '--test --watch --enable-source-maps --no-warnings --trace-warnings',
    },
  }),
  passes('ts-node tsx qjs', { ...script, options: { quiet: '-v -h', code: '-e: --eval: -p:' } }),
  passes('perl', {
    ...script,
    reader: 'in-place',
    options: { quiet: '-v', code: '-e: -E: -ne: -pe: -lne: -lpe: -ane: -lane: -0777: -M:' },
  }),
  passes('ruby', {
    ...script,
    // With -v it runs its script all the same.
    reader: 'in-place',
    options: { flag: '-v', code: '-e: -ne: -pe:' },
  }),
  passes('php', { ...script, options: { quiet: '-v -m -l --ini', code: '-r: -B: -R: -E:' } }),
  passes('lua luajit Rscript R julia tclsh groovy elixir erl', script),
  passes('ghci guile racket sbcl clojure bb raku swipl octave gnuplot jshell expect', script),
  writes(
    'vim vi nvim gvim view vimdiff ex ed red emacs nano pico micro joe jed kak hx helix',
    'does_editor',
    { options: { code: '-c: --cmd: -S: --eval: -l: -f:' } },
  ),
  writes('code subl mate gedit kate atom zed idea webstorm mcedit ne', 'does_editor', {
    options: { quiet: '--list-extensions -v --status' },
  }),
]
