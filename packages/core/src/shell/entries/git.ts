import { phrase } from '../../base/text/phrase.ts'
import type { ProgramEntry } from '../programs/entry.ts'
import { gitDiff, gitFormats, gitLog, gitRefs } from './git-options.ts'
import { all } from './shape.ts'

type Rest = Omit<ProgramEntry, 'names' | 'does'>

/** Git reads --output wherever it reads revisions, also where its manual does not say so. */
const looks = (names: string, flag: string, rest: Rest = {}) =>
  all(names, 'read', {
    negates: true,
    codeValue: gitFormats,
    ...rest,
    options: { writeTo: '--output:', flag, ...rest.options },
  })

const dryRun = (names: string, flag: string) =>
  all(names, 'change', { negates: true, options: { quiet: '-n --dry-run', flag } })

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
      ...looks('diff diff-tree diff-index diff-files', `${gitDiff} ${gitLog}`),
      ...looks('log show whatchanged rev-list range-diff', `${gitDiff} ${gitLog}`),
      ...looks('shortlog', `${gitLog} -s --summary -e --email --group: -c --committer -w? -n`),
      ...looks(
        'status',
        '-s --short -b --branch --show-stash --porcelain? --long -v --verbose -u? ' +
          '--untracked-files? --ignore-submodules? --ignored? -z --column? --ahead-behind ' +
          '--renames --find-renames?',
      ),
      ...looks(
        'blame annotate',
        '-b --root --show-stats -L: -l -t -S: --reverse -p --porcelain --line-porcelain ' +
          '--incremental --encoding: --contents: --date: -M? -C? -f --show-name -n ' +
          '--show-number -s -e --show-email -w --abbrev? -c --first-parent --ignore-rev: ' +
          '--ignore-revs-file: --color-lines --color-by-age --progress --since:',
      ),
      ...looks(
        'ls-files',
        '-z -t -v -f -c --cached -d --deleted -m --modified -o --others -i --ignored -s ' +
          '--stage -u --unmerged -k --killed --directory --empty-directory --eol ' +
          '--deduplicate -x: --exclude: -X: --exclude-from: --exclude-per-directory: ' +
          '--exclude-standard --error-unmatch --with-tree: --full-name ' +
          '--recurse-submodules --abbrev? --debug --format: --resolve-undo --sparse',
      ),
      ...looks(
        'ls-tree',
        '-d -r -t -l --long -z --name-only --name-status --object-only --full-name ' +
          '--full-tree --abbrev? --format:',
      ),
      ...looks(
        'rev-parse',
        '--verify -q --quiet --sq --short? --not --abbrev-ref? --symbolic ' +
          '--symbolic-full-name --all --branches? --tags? --remotes? --glob: --exclude: ' +
          '--disambiguate: --local-env-vars --path-format: --git-dir --git-common-dir ' +
          '--absolute-git-dir --git-path: --show-toplevel --show-cdup --show-prefix ' +
          '--show-superproject-working-tree --is-inside-git-dir --is-inside-work-tree ' +
          '--is-bare-repository --is-shallow-repository --show-object-format? --default: ' +
          '--prefix: --revs-only --revs --flags --since: --after: --until: --before:',
      ),
      ...looks(
        'cat-file',
        '-t -s -e -p -z --textconv --path: --batch? --batch-check? --batch-all-objects ' +
          '--buffer --unordered --follow-symlinks --allow-unknown-type --use-mailmap --filter:',
      ),
      ...looks(
        'describe',
        '--dirty? --broken? --all --tags --contains --abbrev? --candidates: --exact-match ' +
          '--debug --long --match: --exclude: --always --first-parent',
      ),
      ...looks('name-rev', '--tags --refs: --exclude: --all --name-only --undefined --always'),
      ...looks('merge-base', '-a --all --octopus --independent --is-ancestor --fork-point'),
      ...looks('cherry', '-v --abbrev?'),
      ...looks('count-objects', '-v --verbose -H --human-readable'),
      ...looks('show-ref', '--head --heads --tags -d --dereference -s --hash? --verify -q --quiet'),
      ...looks('for-each-ref', `${gitRefs} --count: --shell --perl --python --tcl --omit-empty`),
      ...looks('show-branch', '-r --remotes -a --all --current --topo-order --date-order --list'),
      ...looks('check-ignore', '-q --quiet -v --verbose --stdin -z -n --non-matching --index'),
      ...looks('check-attr', '-a --all --stdin -z --cached --source:'),
      ...looks('var', '-l'),
      ...looks('version', '--build-options'),
      // It shows a page of the manual, which starts programs of its own.
      ...all('help', 'pass', {
        options: {
          quiet: '-a --all -g --guides -c --config',
          flag: '-m --man',
          change: '-w --web',
          program: '-i --info',
        },
      }),
      ...looks('verify-pack', '-v --verbose -s --stat-only'),
      ...looks('check-ref-format', '--branch --allow-onelevel --normalize --refspec-pattern'),
      ...looks(
        'grep',
        '--cached --untracked --index --exclude-standard --recurse-submodules -a --text ' +
          '--textconv -i --ignore-case -I --max-depth: -r --recursive -w --word-regexp -v ' +
          '--invert-match -h -H --full-name -E --extended-regexp -G --basic-regexp -P ' +
          '--perl-regexp -F --fixed-strings -n --line-number --column -l ' +
          '--files-with-matches --name-only -L --files-without-match -z --null -o ' +
          '--only-matching -c --count --color? --break --heading -p --show-function -C: ' +
          '--context: -A: --after-context: -B: --before-context: -W --function-context -m: ' +
          '--max-count: --threads: -f: -e: --and --or --not --all-match -q --quiet -#',
        { options: { run: '-O? --open-files-in-pager?' } },
      ),
      ...looks(
        'ls-remote',
        '--heads -h --branches -b --tags -t --refs -q --quiet --exit-code --get-url --sort: ' +
          '--symref -o: --server-option:',
        { reach: 'network', addressed: true, options: { run: '--upload-pack: --exec:' } },
      ),
      ...looks(
        'fsck',
        '--unreachable --dangling --root --tags --cache --reflogs --full ' +
          '--connectivity-only --strict --verbose -v --progress --name-objects',
        { options: { write: '--lost-found' } },
      ),
      // Files may ask for signatures to be written into them, which gpg looks at.
      archive: {
        does: 'pass',
        options: {
          writeTo: '-o: --output:',
          run: '--exec:',
          change: '--remote:',
          flag: '--format: --prefix: -l --list -v --verbose -0 -1 -9 --add-file:',
        },
      },
      ...looks('hash-object', '-t: --stdin --filters --path: --literally', {
        options: { change: '-w' },
      }),
      ...looks('symbolic-ref', '-q --quiet --short --recurse', {
        writes: 'second',
        options: { change: '-d --delete -m:' },
      }),
      // A word that is none of its subcommands is a reference, which it shows.
      ...looks('reflog', `${gitDiff} ${gitLog}`, {
        changeOperand: '^(?:expire|delete|drop|write)$',
      }),
      ...all('merge-file', 'write', {
        negates: true,
        options: { quiet: '-p --stdout', flag: '-L: -q --quiet --diff3 --zdiff3 --ours --theirs' },
      }),
      ...all('format-patch', 'write', {
        negates: true,
        codeValue: gitFormats,
        why: phrase('does_writes_patch_files'),
        options: {
          quiet: '--stdout',
          writeTo: '-o: --output-directory: --output:',
          flag: `${gitDiff} ${gitLog} -k --numbered -N --subject-prefix: --cover-letter --signoff`,
        },
      }),
      branch: {
        does: 'change',
        bare: 'read',
        negates: true,
        codeValue: gitFormats,
        why: phrase('does_changes_branches'),
        options: {
          quiet:
            '-l --list --show-current --contains? --no-contains? --merged? --no-merged? ' +
            '--points-at: -a --all -r --remotes',
          change:
            '-d -D --delete -m -M --move -c -C --copy -f --force -u: --set-upstream-to: ' +
            '--unset-upstream --edit-description -t --track? --no-track --create-reflog',
          flag: '-v -vv --verbose --sort: --format: --column? --color? -i --ignore-case --abbrev? -q',
        },
      },
      tag: {
        does: 'change',
        bare: 'read',
        negates: true,
        codeValue: gitFormats,
        why: phrase('does_changes_tags'),
        options: {
          quiet: '-l --list -n? --contains? --no-contains? --merged? --no-merged? --points-at:',
          change: '-d --delete -a --annotate -s --sign -f --force -u: -m: -F: -e --edit',
          flag: '--sort: --format: --column? --color? -i --ignore-case',
        },
      },
      remote: {
        does: 'change',
        bare: 'read',
        options: { flag: '-v --verbose' },
        sub: {
          ...all('show', 'read', { reach: 'network', options: { flag: '-n' } }),
          ...all('get-url', 'read', { options: { flag: '--push --all' } }),
        },
      },
      config: { does: 'change', reader: 'git-config' },
      stash: {
        does: 'change',
        why: phrase('does_changes_work_tree'),
        sub: looks('list show', `${gitDiff} ${gitLog} --include-untracked --only-untracked`),
      },
      notes: {
        does: 'change',
        bare: 'read',
        options: { flag: '--ref:' },
        sub: all('list show get-ref', 'read'),
      },
      worktree: {
        does: 'change',
        sub: all('list', 'read', { options: { flag: '--porcelain -v --verbose -z' } }),
      },
      submodule: {
        does: 'change',
        bare: 'read',
        sub: {
          ...all('status summary', 'read', { options: { flag: '--recursive --cached -q' } }),
          foreach: {
            does: 'run',
            style: 'posix',
            wraps: { shell: true },
            options: { flag: '--recursive -q --quiet' },
          },
        },
      },
      bisect: {
        does: 'change',
        sub: { ...all('log', 'read'), run: { does: 'change', style: 'posix', wraps: {} } },
      },
      bundle: { does: 'change', sub: all('verify list-heads', 'read') },
      rerere: { does: 'change', sub: all('status diff remaining', 'pass') },
      'sparse-checkout': { does: 'change', sub: all('list', 'read') },
      ...dryRun('add', '-v --verbose -A --all -u --update -f --force --ignore-errors'),
      ...dryRun('rm', '-r -f --force --cached -q --quiet --ignore-unmatch'),
      ...dryRun('mv', '-k -v --verbose -f --force'),
      ...dryRun('clean', '-d -f --force -q --quiet -e: --exclude: -x -X'),
      apply: {
        does: 'change',
        negates: true,
        options: {
          quiet: '--check --stat --numstat --summary',
          change: '--apply --index --cached -3 --3way',
          flag: '-p: -R --reverse -v --verbose --directory: --include: --exclude:',
        },
      },
      commit: {
        does: 'change',
        negates: true,
        options: {
          rehearse: '--dry-run --short --porcelain --long',
          flag:
            '-m: --message: -F: --file: -c: -C: -t: --template: --author: --date: --fixup: ' +
            '--squash: -a --all -s --signoff --amend --edit -e -n --verify --allow-empty ' +
            '--allow-empty-message -q --quiet -v --verbose -p --patch -o --only -i --include ' +
            '--cleanup: --trailer: -u? --status --reset-author --post-rewrite -z --branch ' +
            '--pathspec-from-file:',
        },
      },
      rebase: {
        does: 'change',
        negates: true,
        options: {
          run: '-x: --exec:',
          flag:
            '--onto: -s: --strategy: -X: --strategy-option: -C: -i --interactive --continue ' +
            '--abort --skip --quit --autosquash --autostash --root -r --rebase-merges? -q ' +
            '--quiet -v --verbose --stat -n -f --force-rebase --fork-point --keep-base ' +
            '--update-refs --signoff --reapply-cherry-picks --empty:',
        },
      },
      difftool: { does: 'change', options: { run: '-x: --extcmd:' } },
      'filter-branch': { does: 'opaque' },
      clone: {
        does: 'change',
        options: {
          run: '-u: --upload-pack:',
          flag:
            '-b: --branch: --depth: -o: --origin: --reference: -j: --filter: --separate-git-dir: ' +
            '--single-branch --no-single-branch --recursive --recurse-submodules? --bare ' +
            '--mirror -q --quiet -v --verbose --progress --shallow-since: --no-tags -n ' +
            '--no-checkout --sparse --shallow-submodules -l --local --no-hardlinks',
          code: '-c: --config: --template:',
        },
      },
      push: {
        does: 'change',
        reach: 'network',
        negates: true,
        options: {
          // A hook of the project runs all the same.
          rehearse: '-n --dry-run',
          run: '--receive-pack: --exec:',
          flag:
            '-u --set-upstream -f --force --force-with-lease? --force-if-includes --tags ' +
            '--follow-tags --all --mirror --prune -d --delete -q --quiet -v --verbose --progress ' +
            '--atomic --thin --verify --porcelain -o: --push-option: --signed? -4 -6 --branches ' +
            '--recurse-submodules?',
        },
      },
      fetch: {
        does: 'change',
        reach: 'network',
        addressed: true,
        negates: true,
        options: {
          // It gets the objects all the same, and leaves out the names.
          rehearse: '--dry-run',
          run: '--upload-pack:',
          flag:
            '--all -a --append --depth: --deepen: --shallow-since: --unshallow -f --force -k ' +
            '--keep --multiple -p --prune -P --prune-tags -n --tags -t --no-tags -j: --jobs: ' +
            '--recurse-submodules? -u -q --quiet -v --verbose --progress -4 -6 --ipv4 --ipv6 ' +
            '-o: --server-option: --refmap: --filter: --atomic --porcelain --set-upstream',
        },
      },
      pull: {
        does: 'change',
        reach: 'network',
        negates: true,
        options: {
          run: '--upload-pack:',
          flag:
            '--rebase? -r --ff --ff-only -q --quiet -v --verbose -s: -X: --depth: --all -a ' +
            '--append -f --force -p --prune -t --tags --autostash --squash --stat -n --commit ' +
            '--edit -e --allow-unrelated-histories --recurse-submodules? --progress -j: ' +
            '--set-upstream --unshallow -4 -6 --signoff --verify --cleanup:',
        },
      },
      'fetch-pack send-pack': {
        does: 'change',
        options: {
          run: '--upload-pack: --receive-pack: --exec:',
          flag: '-q --quiet -k --keep --depth: --all --tags -v --dry-run --force --thin',
        },
      },
    },
  },
]
