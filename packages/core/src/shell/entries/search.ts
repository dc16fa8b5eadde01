import type { ProgramEntry } from '../programs/entry.ts'
import { passes, reads } from './shape.ts'

const grepFlags =
  '-E --extended-regexp -F --fixed-strings -G --basic-regexp -P --perl-regexp -e: --regexp: -f: ' +
  '--file: -i -y --ignore-case --no-ignore-case -w --word-regexp -x --line-regexp -z --null-data ' +
  '-s --no-messages -v --invert-match -V -m: --max-count: -b --byte-offset -n --line-number ' +
  '--line-buffered -H --with-filename -h --no-filename --label: -o --only-matching -q --quiet ' +
  '--silent --binary-files: -a --text -I -d: --directories: -D: --devices: -r --recursive -R ' +
  '--dereference-recursive --include: --exclude: --exclude-from: --exclude-dir: -L ' +
  '--files-without-match -l --files-with-matches -c --count -T --initial-tab -Z --null -B: ' +
  '--before-context: -A: --after-context: -C: --context: -# --group-separator: ' +
  '--no-group-separator --color? --colour? -U --binary'

/** Programs that look for text and for files. */
export const search: readonly ProgramEntry[] = [
  reads('grep egrep fgrep ggrep', { options: { flag: grepFlags } }),
  // Scripts that put their words together for a shell, and do not quote each of them right.
  passes('zgrep zegrep zfgrep bzgrep xzgrep zstdgrep', { options: { flag: grepFlags } }),
  reads('rg ripgrep', {
    options: {
      program: '--pre: --hostname-bin:',
      flag:
        '-e: --regexp: -f: --file: -g: --glob: --iglob: -t: --type: -T: --type-not: --type-add: ' +
        '--type-clear: --type-list -A: --after-context: -B: --before-context: -C: --context: ' +
        '-m: --max-count: -M: --max-columns: --max-columns-preview -j: --threads: -E: ' +
        '--encoding: -r: --replace: -d: --max-depth: --maxdepth: --max-filesize: --sort: ' +
        '--sortr: --sort-files --color: --colors: --pre-glob: --ignore-file: ' +
        '--path-separator: --engine: --dfa-size-limit: --regex-size-limit: ' +
        '--context-separator: --no-context-separator --field-match-separator: ' +
        '--field-context-separator: --generate: --hyperlink-format: --crlf --debug ' +
        '-a --text -b --byte-offset -c --count --count-matches --column --no-column ' +
        '-F --fixed-strings --files -l --files-with-matches --files-without-match ' +
        '-L --follow --no-follow --glob-case-insensitive -H --with-filename -h -I --no-filename ' +
        '--heading --no-heading -. --hidden --no-hidden -i --ignore-case ' +
        '--ignore-file-case-insensitive --include-zero -v --invert-match --json ' +
        '--line-buffered -n --line-number -N --no-line-number -x --line-regexp --mmap ' +
        '--no-mmap -U --multiline --multiline-dotall --no-config --no-ignore ' +
        '--no-ignore-dot --no-ignore-exclude --no-ignore-files --no-ignore-global ' +
        '--no-ignore-messages --no-ignore-parent --no-ignore-vcs --no-messages ' +
        '--no-require-git --no-unicode -0 --null --null-data --one-file-system -o ' +
        '--only-matching --passthru --passthrough -P --pcre2 --auto-hybrid-regex -p --pretty ' +
        '-q --quiet -s --case-sensitive -S --smart-case --stats --no-stats ' +
        '--stop-on-nonmatch --trim --no-trim -u --unrestricted --vimgrep -w --word-regexp ' +
        '-uu -uuu --no-pcre2 --binary --no-binary --block-buffered',
    },
  }),
  reads('ag', {
    options: {
      run: '--pager:',
      flag:
        '-A: --after? -B: --before? -C: --context? -c --count --color --nocolor --column ' +
        '--filename --nofilename -f --follow -F --fixed-strings -g: -G: --file-search-regex: ' +
        '--group --nogroup -H --heading --noheading --hidden -i --ignore-case --ignore: ' +
        '--ignore-dir: -l --files-with-matches -L --files-without-matches -m: --max-count: ' +
        '--numbers --nonumbers -o --only-matching --depth: -p: --path-to-ignore: -Q --literal ' +
        '-s --case-sensitive -S --smart-case --stats --silent -t --all-text -u --unrestricted ' +
        '-U --skip-vcs-ignores -v --invert-match -w --word-regexp -W: --width: -z -0 ' +
        '--js --ts --python --go --rust --java --ruby --php --html --css --json --yaml --md',
    },
  }),
  reads('find gfind', { reader: 'find' }),
  reads('fd fdfind', {
    reader: 'fd',
    options: {
      run: '-x: -X: --exec: --exec-batch:',
      flag:
        '-e: -t: -d: -E: -g -H -I -a -p -s -i -L -u -0 -1 -S: -c: -j: -C: -o: -F -q ' +
        '--extension: --type: --max-depth: --min-depth: --exact-depth: --exclude: ' +
        '--size: --changed-within: --changed-before: --newer: --older: --color: --threads: ' +
        '--base-directory: --max-results: --owner: --glob --regex --fixed-strings --hidden ' +
        '--no-hidden --no-ignore --no-ignore-vcs --no-ignore-parent --unrestricted ' +
        '--case-sensitive --ignore-case --absolute-path --relative-path --full-path --follow ' +
        '--print0 --prune --one-file-system --quiet --show-errors --strip-cwd-prefix ' +
        '--format: --and: --ignore-file: --search-path: --path-separator:',
    },
  }),
  reads('which', { options: { flag: '-a --all -s' } }),
  reads('whereis', { options: { flag: '-b -B: -m -M: -s -S: -f -u -l -g' } }),
  reads('locate plocate mlocate', {
    options: {
      flag:
        '-A --all -b --basename -c --count -d: --database: -e --existing -i --ignore-case -l: ' +
        '--limit: -n: -N --literal -0 --null -r --regexp --regex -w --wholename',
    },
  }),
]
