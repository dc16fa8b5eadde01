import { phrase } from '../../base/text/phrase.ts'
import type { ProgramEntry } from '../programs/entry.ts'
import { all, changes, mayWrap, passes, wraps, writes } from './shape.ts'

/** Programs that start others (SH-4). One that starts a shell by itself has no `bare`. */
export const wrappers: readonly ProgramEntry[] = [
  wraps('env genv', {
    environment: true,
    bare: 'read',
    wraps: { assignments: true },
    reader: 'env',
    options: {
      flag:
        '-i - -0 -v -u: --unset: -C: --chdir: --ignore-environment --null --debug ' +
        '--block-signal? --default-signal? --ignore-signal? --list-signal-handling',
      run: '-S: --split-string:',
    },
  }),
  wraps('sudo', {
    wraps: { assignments: true },
    options: {
      flag: '-u: -g: --user: --group: -E -H -n -k --non-interactive --set-home',
      quiet: '-V',
      write: '-e --edit',
    },
  }),
  mayWrap('doas pkexec', { options: { flag: '-u: --user: -n' } }),
  writes('sudoedit rvim rview', 'does_editor'),
  mayWrap('cross-env cross-env-shell dotenv-cli env-cmd', {
    wraps: { assignments: true },
    options: { flag: '-f: --file: -e:' },
  }),
  mayWrap('shx', {}),
  {
    names: 'concurrently npm-run-all run-p run-s start-server-and-test wireit',
    does: 'opaque',
    why: phrase('does_runs_several_command_lines'),
  },
  mayWrap('prlimit', { options: { flag: '-p: --pid:' } }),
  { names: 'capsh nix-shell guix', does: 'opaque' },
  wraps('nice gnice', { bare: 'read', options: { flag: '-n: --adjustment: -#' } }),
  wraps('ionice', { options: { flag: '-c: -n: --class: --classdata: -t' } }),
  mayWrap('chrt', {
    wraps: { skip: 1 },
    options: { flag: '-T: -P: -D: -b -f -i -o -r -R' },
  }),
  mayWrap('taskset', { wraps: { skip: 1 }, options: { flag: '-c -a' } }),
  mayWrap('numactl', { options: { flag: '-N: -m: -C: -i: --cpunodebind: --membind:' } }),
  wraps('timeout gtimeout', {
    wraps: { skip: 1 },
    options: {
      flag: '-s: --signal: -k: --kill-after: --preserve-status --foreground -v --verbose',
    },
  }),
  // At a terminal it writes what the command prints into a file.
  wraps('nohup', { background: true, wraps: { unproven: true } }),
  mayWrap('setsid daemonize daemon', {
    background: true,
    options: { flag: '-c -f -w -p: -o: -e:' },
  }),
  wraps('stdbuf gstdbuf', {
    options: { flag: '-i: -o: -e: --input: --output: --error:' },
  }),
  wraps('time gtime', {
    bare: 'read',
    options: {
      flag: '-f: --format: -p -v -a --append --portability --verbose',
      writeAlso: '-o: --output:',
    },
  }),
  mayWrap('chroot', {
    wraps: { skip: 1 },
    options: { flag: '--userspec: --groups: --skip-chdir' },
  }),
  mayWrap('unshare nsenter setpriv', {
    options: {
      flag:
        '-t: --target: -S: --setuid: -G: --setgid: -w? -m? -u? -i? -n? -p? -C? -T? ' +
        '-U? -a -f -r -F -c -Z -R: --reuid: --regid: --groups: --clear-groups ' +
        '--init-groups --mount? --uts? --ipc? --net? --pid? --user? --fork ' +
        '--map-root-user --mount-proc? --root: --wd:',
    },
  }),
  mayWrap('runuser', { options: { flag: '-u: -g: -G: -l -m -p -s:', run: '-c: --command:' } }),
  mayWrap('su', {
    wraps: { skip: 1 },
    options: { flag: '-g: -G: -l -m -p -s: -', run: '-c: --command:' },
  }),
  mayWrap('gosu su-exec faketime', { wraps: { skip: 1 } }),
  mayWrap('eatmydata torsocks tsocks'),
  mayWrap('proxychains proxychains4 caffeinate winpty rlwrap setarch strace ltrace valgrind'),
  { names: 'firejail bwrap proot perf', does: 'opaque' },
  mayWrap('watch', {
    wraps: { shell: true },
    options: {
      flag:
        '-n: --interval: -d? --differences? -g -t -e -b -p -c -x -q: --exec --chgexit ' +
        '--no-title --color',
    },
  }),
  wraps('flock', {
    reader: 'flock',
    options: {
      flag: '-s -x -e -n -w: -o -u -E: --timeout: --shared --exclusive --nonblock',
      run: '-c: --command:',
    },
  }),
  mayWrap('busybox toybox', { options: { quiet: '--list --list-full' } }),
  mayWrap('systemd-run', {
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
      exec: { does: 'run', style: 'posix', wraps: { skip: 1, unproven: true } },
      ...all('version', 'read'),
      ...all('dump', 'read', { environment: true }),
      // It evaluates the file of the folder.
      ...all('export', 'opaque'),
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
  },
  writes('script scriptreplay asciinema', 'does_records_session_file', {
    options: { run: '-c: --command:' },
  }),
  { names: 'osascript gdb lldb', does: 'opaque' },
  wraps('xargs gxargs', {
    reader: 'xargs',
    options: {
      flag:
        '-0 -r -t -p -x -o -I: -i? -n: -P: -L: -l? -s: -d: -a: -E: -e? --null ' +
        '--no-run-if-empty --verbose --interactive --exit --replace? --max-args: ' +
        '--max-procs: --max-lines? --max-chars: --delimiter: --arg-file: --eof? ' +
        '--open-tty --show-limits',
    },
  }),
  passes('parallel sem rush', { reader: 'opaque' }),
  writes('mc ranger nnn lf vifm', 'does_manages_files'),
]
