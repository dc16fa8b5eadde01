/** Options that many subcommands of git share, by what its manual calls them. */

export const gitDiff =
  '-p -u --patch -s -U? --unified? --output-indicator-new: --output-indicator-old: ' +
  '--output-indicator-context: --raw --patch-with-raw --indent-heuristic --minimal --patience ' +
  '--histogram --anchored: --diff-algorithm: --stat? --compact-summary --numstat --shortstat -X? ' +
  '--dirstat? --cumulative --dirstat-by-file? --summary --patch-with-stat -z --name-only ' +
  '--name-status --submodule? --color? --color-moved? --color-moved-ws: --word-diff? ' +
  '--word-diff-regex: --color-words? --renames --rename-empty --check --ws-error-highlight: ' +
  '--full-index --binary --abbrev? -B? --break-rewrites? -M? --find-renames? -C? ' +
  '--find-copies? --find-copies-harder -D --irreversible-delete -l: --diff-filter: -S: -G: ' +
  '--find-object: --pickaxe-all --pickaxe-regex -O: --skip-to: --rotate-to: -R --relative? -a ' +
  '--text --ignore-cr-at-eol --ignore-space-at-eol -b --ignore-space-change -w ' +
  '--ignore-all-space --ignore-blank-lines -I: --ignore-matching-lines: --inter-hunk-context: ' +
  '-W --function-context --exit-code --quiet --no-ext-diff --textconv --ignore-submodules? ' +
  '--src-prefix: --dst-prefix: --prefix --default-prefix --line-prefix: ' +
  '--ita-invisible-in-index --cached --staged --merge-base --no-index -0 -1 -2 -3 --base --ours ' +
  '--theirs -c --cc --combined-all-paths -r -t --root --no-commit-id --commit-id'

export const gitLog =
  '--follow --decorate? --decorate-refs: --decorate-refs-exclude: --clear-decorations --source ' +
  '--mailmap --use-mailmap --full-diff --log-size -L: -n: --max-count: -# --skip: --since: ' +
  '--after: --until: --before: --since-as-filter: --author: --committer: --grep-reflog: --grep: ' +
  '--all-match --invert-grep -i --regexp-ignore-case --basic-regexp -E --extended-regexp -F ' +
  '--fixed-strings -P --perl-regexp --remove-empty --merges --min-parents: --max-parents: ' +
  '--first-parent --exclude-first-parent-only --not --all --branches? --tags? --remotes? ' +
  '--glob: --exclude: --exclude-hidden: --reflog --alternate-refs --single-worktree ' +
  '--ignore-missing --bisect --stdin --cherry-mark --cherry-pick --left-only --right-only ' +
  '--cherry -g --walk-reflogs --merge --boundary --simplify-by-decoration --show-pulls ' +
  '--full-history --dense --sparse --simplify-merges --ancestry-path? --date-order ' +
  '--author-date-order --topo-order --reverse --pretty? --format: --abbrev-commit --oneline ' +
  '--encoding: --expand-tabs? --notes? --show-notes? --standard-notes --relative-date --date: ' +
  '--parents --children --left-right --graph --show-linear-break? -m --diff-merges: --dd ' +
  '--max-age: --min-age: --count --objects --objects-edge --disk-usage? --header --timestamp ' +
  '--commit-header --filter: --quiet -q --no-walk? --do-walk --creation-factor: --numbered'

export const gitRefs =
  '--sort: --format: --color? --points-at: --merged? --no-merged? --contains? --no-contains? ' +
  '--ignore-case --exclude: --stdin'

/**
 * Places in a format that have a signature checked, which starts gpg. A word alone may be the name
 * of a format in the settings.
 */
const named = '(?!(?:oneline|short|medium|full|fuller|reference|email|mboxrd|raw|iso|relative)$)'
export const gitFormats = {
  '--format --pretty': `%[-+ ]?G|signature|^${named}[\\w.-]+$`,
  '--sort': 'signature',
  // Merges are made once more, with objects on the disk and the drivers of the settings.
  '--diff-merges': '^r',
  '--group': '%[-+ ]?G',
}
