import { phrase } from '../../base/text/phrase.ts'
import type { ProgramEntry } from '../programs/entry.ts'
import { all, changes, passes, reads, wraps, writes } from './shape.ts'

/** Programs that start others (SH-4), shells, interpreters and editors. */
export const wrappers: readonly ProgramEntry[] = [
  wraps('env genv', {
    environment: true,
    wraps: { assignments: true },
    reader: 'env',
    options: {
      flag:
        '-i - -0 -v -u: --unset: -C: --chdir: --ignore-environment --null --debug ' +
        '--block-signal? --default-signal? --ignore-signal? --list-signal-handling ' +
        '-a: --argv0:',
      run: '-S: --split-string:',
    },
  }),
  wraps('sudo doas pkexec', {
    wraps: { assignments: true },
    options: {
      flag:
        '-u: -g: -h: -p: -C: -r: -t: -T: -U: -D: -R: --user: --group: --host: ' +
        '--prompt: --chdir: --role: --type: --other-user: -E -H -n -S -k -K -A -b -i ' +
        '-s -P --preserve-env? --login --shell --non-interactive --stdin --set-home',
      quiet: '-l -v -V --list --validate',
      write: '-e --edit',
    },
  }),
  writes('sudoedit rvim rview', 'does_editor'),
  wraps('cross-env cross-env-shell dotenv-cli env-cmd', {
    wraps: { assignments: true },
    options: { flag: '-f: --file: -e:' },
  }),
  wraps('shx', {}),
  {
    names: 'concurrently npm-run-all run-p run-s start-server-and-test wireit',
    does: 'opaque',
    why: phrase('does_runs_several_command_lines'),
  },
  wraps('prlimit', { options: { flag: '-p: --pid:' } }),
  { names: 'capsh nix-shell guix', does: 'opaque' },
  wraps('nice gnice', { options: { flag: '-n: --adjustment:' } }),
  wraps('ionice', { options: { flag: '-c: -n: --class: --classdata: -t -p: -P: -u:' } }),
  wraps('chrt', {
    wraps: { skip: 1 },
    options: { flag: '-T: -P: -D: -b -f -i -o -r -R', quiet: '-p -m' },
  }),
  wraps('taskset', { wraps: { skip: 1 }, options: { quiet: '-p', flag: '-c -a' } }),
  wraps('numactl', { options: { flag: '-N: -m: -C: -i: --cpunodebind: --membind:' } }),
  wraps('timeout gtimeout', {
    wraps: { skip: 1 },
    options: { flag: '-s: --signal: -k: --kill-after: --preserve-status --foreground -v' },
  }),
  wraps('nohup', { background: true }),
  wraps('setsid daemonize daemon', {
    background: true,
    options: { flag: '-c -f -w -p: -o: -e:' },
  }),
  wraps('stdbuf gstdbuf unbuffer', {
    options: { flag: '-i: -o: -e: --input: --output: --error: -p' },
  }),
  wraps('time gtime', {
    options: {
      flag: '-f: --format: -p -v -a --append --portability --verbose',
      writeAlso: '-o: --output:',
    },
  }),
  wraps('chroot', { wraps: { skip: 1 }, options: { flag: '--userspec: --groups: --skip-chdir' } }),
  wraps('unshare nsenter setpriv', {
    options: {
      flag:
        '-t: --target: -S: --setuid: -G: --setgid: -w? -m? -u? -i? -n? -p? -C? -T? ' +
        '-U? -a -f -r -F -c -Z -R: --reuid: --regid: --groups: --clear-groups ' +
        '--init-groups --mount? --uts? --ipc? --net? --pid? --user? --fork ' +
        '--map-root-user --mount-proc? --root: --wd:',
    },
  }),
  wraps('runuser', { options: { flag: '-u: -g: -G: -l -m -p -s:', run: '-c: --command:' } }),
  wraps('su', {
    wraps: { skip: 1 },
    options: { flag: '-g: -G: -l -m -p -s: -', run: '-c: --command:' },
  }),
  wraps('gosu su-exec faketime', { wraps: { skip: 1 } }),
  wraps('setarch', { wraps: { skip: 1 } }),
  wraps('linux32 linux64 i386 i686 x86_64 uname26 catchsegv eatmydata fakeroot torsocks tsocks'),
  wraps(
    'proxychains proxychains4 dbus-run-session dbus-launch caffeinate xvfb-run exec winpty rlwrap',
  ),
  { names: 'firejail bwrap proot perf', does: 'opaque' },
  wraps('strace ltrace', {
    options: {
      writeAlso: '-o: --output:',
      environment: '-v --no-abbrev',
      flag:
        '-e: -p: -s: -u: -E: -P: -a: -b: -I: -O: -S: -X: -f -ff -c -C -t -T -x -y -q ' +
        '-n: -l: --trace:',
    },
  }),
  wraps('valgrind', { options: { writeAlso: '--log-file: --xml-file:' } }),
  wraps('watch', {
    wraps: { shell: true },
    options: {
      flag:
        '-n: --interval: -d? --differences? -g -t -e -b -p -c -x --exec --chgexit ' +
        '--no-title --color',
    },
  }),
  wraps('entr', { options: { flag: '-c -d -n -p -r -s -z' } }),
  wraps('hyperfine', {
    wraps: { shell: true },
    options: {
      run: '-p: --prepare: -c: --cleanup: -s: --setup:',
      writeAlso: '--export-json: --export-markdown: --export-csv: --export-asciidoc: --output:',
      flag: '-w: --warmup: -r: --runs: -m: -M: -n: -L: -P: -D: -S: -N -i --shell: --style:',
    },
  }),
  wraps('flock', {
    reader: 'flock',
    options: {
      flag: '-s -x -e -n -w: -o -u -E: --timeout: --shared --exclusive --nonblock',
      run: '-c: --command:',
    },
  }),
  wraps('busybox toybox coreutils', { options: { quiet: '--list --list-full' } }),
  wraps('systemd-run', {
    background: true,
    options: {
      flag:
        '--user --system --scope --unit: -u: -p: --property: --uid: --gid: --nice: ' +
        '-E: --setenv: -t -P -d -G -q -H: -M: --wait --collect --pty --slice: ' +
        '--on-active: --on-calendar: --working-directory:',
    },
  }),
  changes('start-stop-daemon', 'does_starts_stops_service', { background: true }),
  changes('direnv', 'does_changes_what_trusts', {
    sub: {
      exec: { does: 'run', style: 'posix', wraps: { skip: 1 } },
      ...all('status version', 'read'),
      ...all('dump export', 'read', { environment: true }),
    },
  }),
  {
    names: 'dotenv dotenvx doppler op aws-vault chamber infisical',
    does: 'opaque',
    wraps: { afterDashes: true },
  },
  {
    names: 'tmux screen zellij dtach abduco',
    does: 'opaque',
    background: true,
    sub: all('ls list-sessions list-windows list-panes list-clients info has-session has', 'read'),
    options: { quiet: '-ls -list -V -v' },
  },
  writes('script scriptreplay asciinema', 'does_records_session_file', {
    options: { run: '-c: --command:' },
  }),
  { names: 'expect osascript gdb lldb', does: 'opaque' },
  reads('find gfind', { reader: 'find' }),
  reads('fd fdfind', {
    reader: 'fd',
    options: {
      flag:
        '-e: -t: -d: -E: -g -H -I -a -l -p -s -i -L -u -0 -1 -S: -c: -j: -C: -o: ' +
        '--extension: --type: --max-depth: --min-depth: --exact-depth: --exclude: ' +
        '--size: --changed-within: --changed-before: --color: --threads: ' +
        '--base-directory: --max-results: --owner: --glob --hidden --no-ignore ' +
        '--format: --and: --ignore-file: --search-path:',
    },
  }),
  wraps('xargs gxargs', {
    reader: 'xargs',
    options: {
      flag:
        '-0 -r -t -p -x -o -I: -i? -n: -P: -L: -l? -s: -d: -a: -E: -e? --null ' +
        '--no-run-if-empty --verbose --interactive --exit --replace? --max-args: ' +
        '--max-procs: --max-lines? --max-chars: --delimiter: --arg-file: --eof? ' +
        '--open-tty --show-limits --process-slot-var:',
    },
  }),
  passes('parallel sem rush', { reader: 'opaque' }),
  passes('bash sh dash ash ksh mksh zsh rbash posh yash', { reader: 'shell' }),
  passes('fish csh tcsh pwsh powershell nu elvish xonsh rc es', { reader: 'other-shell' }),
  passes('python python2 python3 pypy pypy3 ipython python3.9 python3.10 python3.11 python3.12', {
    reader: 'python',
  }),
  passes('python3.13 python3.14 jython micropython py', { reader: 'python' }),
  passes('node nodejs qjs', { reader: 'javascript' }),
  passes('ts-node tsx', { reader: 'javascript' }),
  passes('perl perl5', { reader: 'perl' }),
  passes('ruby jruby', { reader: 'ruby' }),
  passes('php php8', { reader: 'php' }),
  passes('lua luajit lua5.1 lua5.3 lua5.4 Rscript R julia tclsh wish groovy scala elixir erl', {
    reader: 'other-language',
  }),
  passes(
    'ghci guile racket sbcl clisp emacsclient janet bb clojure raku swipl octave gnuplot jshell',
    {
      reader: 'other-language',
    },
  ),
  writes(
    'vim vi nvim gvim view vimdiff ex ed red emacs nano pico micro joe jed kak hx helix',
    'does_editor',
    {
      options: { quiet: '-h', code: '-c: --cmd: -S: --eval: -l: -f:' },
    },
  ),
  writes('code subl mate gedit kate atom zed idea webstorm mcedit ne', 'does_editor', {
    options: { quiet: '--list-extensions -v --status' },
  }),
  writes('mc ranger nnn lf vifm', 'does_manages_files'),
  reads('fzf sk gum', { options: { run: '--preview: --bind:' } }),
]
