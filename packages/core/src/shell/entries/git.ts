import { phrase } from '../../base/text/phrase.ts'
import type { ProgramEntry } from '../programs/entry.ts'
import { all } from './shape.ts'

const output = {
  writeTo: '--output:',
  flag:
    '--output-indicator-new: --output-indicator-old: --output-indicator-context: ' +
    '-O: -S: -G: -U: -n: -L: --since: --until: --author: --grep: --format: ' +
    '--pretty? --date: --max-count: --skip: --committer: --glob: --exclude: ' +
    '--encoding: -l: --diff-filter:',
}
// Git reads --output wherever it reads revisions, also where its manual does not say so.
const looks = (names: string, rest: Omit<ProgramEntry, 'names' | 'does'> = {}) =>
  all(names, 'read', { ...rest, options: { ...output, ...rest.options } })

/** Git: what looks at the repository, and what changes it. An unknown word may be an alias. */
export const git: readonly ProgramEntry[] = [
  {
    names: 'git',
    does: 'change',
    why: phrase('does_changes_repository'),
    bare: 'read',
    reader: 'git',
    options: {
      flag:
        '-C: -c: --git-dir: --work-tree: --namespace: --super-prefix: --config-env: ' +
        '--exec-path? -p --paginate -P --no-pager --bare --no-replace-objects ' +
        '--literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs ' +
        '--no-optional-locks --no-lazy-fetch --attr-source:',
      quiet: '-v -h --html-path --man-path --info-path',
    },
    sub: {
      ...looks(
        'diff log show whatchanged diff-tree diff-index diff-files range-diff ' + 'reflog-walk',
        {
          options: output,
        },
      ),
      ...looks('status shortlog blame annotate ls-files ls-tree rev-parse rev-list cat-file'),
      ...looks('describe name-rev merge-base cherry count-objects show-ref show-branch var'),
      ...looks('help', { options: { change: '-w --web' } }),
      ...looks('version for-each-ref check-ignore check-attr check-mailmap verify-commit'),
      ...looks('verify-tag verify-pack check-ref-format stripspace column patch-id show-index'),
      ...looks('request-pull get-tar-commit-id fmt-merge-msg diff-pairs last-modified'),
      ...looks('grep', {
        options: {
          run: '-O? --open-files-in-pager?',
          flag:
            '-e: -f: -A: -B: -C: -m: --max-depth: --threads: --and --or --not ' +
            '--only-matching --color?',
        },
      }),
      ...looks('ls-remote', { options: { run: '--upload-pack: --exec:', flag: '-o: --sort:' } }),
      ...looks('fsck', { options: { write: '--lost-found' } }),
      ...looks('archive', {
        options: {
          writeTo: '-o: --output:',
          run: '--exec:',
          flag: '--format: --prefix: --remote: --add-file: --add-virtual-file:',
        },
      }),
      ...looks('hash-object', { options: { change: '-w' } }),
      ...looks('interpret-trailers', { options: { write: '--in-place' } }),
      ...looks('symbolic-ref', {
        writes: 'second',
        options: { change: '-d --delete', flag: '-m:' },
      }),
      ...looks('reflog', {
        sub: { ...all('expire delete drop', 'change'), ...looks('show list exists') },
      }),
      ...looks('merge-file', { options: { quiet: '-p --stdout' } }),
      'format-patch': {
        does: 'write',
        why: phrase('does_writes_patch_files'),
        options: { quiet: '--stdout', writeTo: '-o: --output-directory: --output:' },
      },
      branch: {
        does: 'change',
        bare: 'read',
        why: phrase('does_changes_branches'),
        options: {
          quiet:
            '-l --list --show-current --contains? --no-contains? --merged? --no-merged? ' +
            '--points-at: -a --all -r --remotes',
          change:
            '-d -D --delete -m -M --move -c -C --copy -f --force -u: --set-upstream-to: ' +
            '--unset-upstream --edit-description -t --track? --no-track --create-reflog',
          flag:
            '-v -vv --verbose --sort: --format: --column? --no-column --color? --no-color ' +
            '-i --ignore-case --abbrev? -q',
        },
      },
      tag: {
        does: 'change',
        bare: 'read',
        why: phrase('does_changes_tags'),
        options: {
          quiet:
            '-l --list -n? --contains? --no-contains? --merged? --no-merged? --points-at: ' +
            '-v --verify',
          change: '-d --delete -a --annotate -s --sign -f --force -u: -m: -F: -e --edit',
          flag: '--sort: --format: --column? --color? -i --ignore-case',
        },
      },
      remote: {
        does: 'change',
        bare: 'read',
        options: { flag: '-v --verbose' },
        sub: { ...all('show', 'read'), ...all('get-url', 'read') },
      },
      config: { does: 'change', reader: 'git-config' },
      stash: {
        does: 'change',
        why: phrase('does_changes_work_tree'),
        sub: all('list show', 'read', { options: output }),
      },
      notes: {
        does: 'change',
        bare: 'read',
        options: { flag: '--ref:' },
        sub: all('list show get-ref', 'read'),
      },
      worktree: { does: 'change', sub: all('list', 'read') },
      submodule: {
        does: 'change',
        bare: 'read',
        sub: {
          ...all('status summary', 'read'),
          foreach: {
            does: 'run',
            style: 'posix',
            wraps: { shell: true },
            options: { flag: '--recursive -q' },
          },
        },
      },
      bisect: {
        does: 'change',
        sub: {
          ...all('log', 'read'),
          run: { does: 'change', style: 'posix', wraps: {} },
        },
      },
      bundle: { does: 'change', sub: all('verify list-heads', 'read') },
      rerere: { does: 'change', sub: all('status diff remaining', 'read') },
      lfs: { does: 'change', sub: all('ls-files status env version logs', 'read') },
      'sparse-checkout': { does: 'change', sub: all('list check-rules', 'read') },
      'add rm mv clean prune': {
        does: 'change',
        options: { quiet: '-n --dry-run' },
      },
      commit: {
        does: 'change',
        options: { quiet: '--dry-run', flag: '-m: -F: -c: -C: -t: --author: --date: --fixup:' },
      },
      apply: {
        does: 'change',
        options: {
          quiet: '--check --stat --numstat --summary',
          change: '--apply --index --cached',
        },
      },
      rebase: { does: 'change', options: { run: '-x: --exec:', flag: '--onto: -s: -X: -C:' } },
      difftool: { does: 'change', options: { run: '-x: --extcmd:' } },
      'filter-branch': { does: 'opaque' },
      clone: {
        does: 'change',
        options: {
          run: '-u: --upload-pack:',
          flag:
            '-b: --branch: --depth: -o: --origin: -c: --config: --template: --reference: ' +
            '-j: --filter: --separate-git-dir:',
        },
      },
      'push fetch pull fetch-pack send-pack': {
        does: 'change',
        options: {
          quiet: '-n --dry-run',
          run: '--upload-pack: --receive-pack: --exec:',
          flag: '-o: --push-option: --depth: -j: --repo: --refmap: --filter: -s: -X:',
        },
      },
    },
  },
]
