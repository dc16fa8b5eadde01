import type { ProgramEntry } from '../programs/entry.ts'
import { reads } from './shape.ts'

/** Programs that list files and tell what they are, and those that compare them. */
export const listing: readonly ProgramEntry[] = [
  reads('ls gls dir vdir ll la l', {
    options: {
      flag:
        '-a --all -A --almost-all --author -b --escape --block-size: -B --ignore-backups -c -C ' +
        '--color? -d --directory -D --dired -f -F --classify? --file-type --format: --full-time ' +
        '-g --group-directories-first -G --no-group -h --human-readable --si -H ' +
        '--dereference-command-line --dereference-command-line-symlink-to-dir --hide: ' +
        '--hyperlink? --indicator-style: -i --inode -I: --ignore: -k --kibibytes -l -L ' +
        '--dereference -m -n --numeric-uid-gid -N --literal -o -p -q --hide-control-chars ' +
        '--show-control-chars -Q --quote-name --quoting-style: -r --reverse -R --recursive -s ' +
        '--size -S --sort: --time: --time-style: -t -T: --tabsize: -u -U -v -w: --width: -x -X ' +
        '-Z --context --zero -1 -@ -e -O',
    },
  }),
  reads('eza exa', {
    options: {
      flag:
        '-1 --oneline -l --long -G --grid -x --across -R --recurse -T --tree -F --classify? ' +
        '--color? --colour? --icons? --no-icons -a --all -A --almost-all -d --list-dirs -L: ' +
        '--level: -r --reverse -s: --sort: --group-directories-first --git-ignore -I: ' +
        '--ignore-glob: -D --only-dirs -f --only-files -b --binary -B --bytes -g --group -h ' +
        '--header -H --links -i --inode -m --modified -S --blocksize -t: --time: -u --accessed ' +
        '-U --created --changed --git --no-git --no-permissions --no-filesize --no-user ' +
        '--no-time --time-style: -n --numeric -@ --extended -X --dereference',
    },
  }),
  reads('stat gstat', {
    options: {
      flag: '-L --dereference -f --file-system --cached: -c: --format: --printf: -t --terse -x -F',
    },
  }),
  reads('du gdu', {
    codeValue: { '--files0-from': '.' },
    options: {
      flag:
        '-0 --null -a --all --apparent-size -A -B: --block-size: -b --bytes -c --total -D ' +
        '--dereference-args -d: --max-depth: --files0-from: -H -h --human-readable --inodes -k ' +
        '-L --dereference -l --count-links -m -P --no-dereference -S --separate-dirs --si -s ' +
        '--summarize -t: --threshold: --time? --time-style: -X: --exclude-from: --exclude: -x ' +
        '--one-file-system -g',
    },
  }),
  reads('df', {
    options: {
      flag:
        '-a --all -B: --block-size: -h --human-readable -H --si -i --inodes -k -l --local ' +
        '--no-sync --output? -P --portability --total -t: --type: -T --print-type -x: ' +
        '--exclude-type: -m -g',
    },
  }),
  reads('tree', {
    neverGlued: true,
    options: {
      writeTo: '-o: --output:',
      // With -R it writes a page into every folder.
      write: '-R',
      flag:
        '-a -d -l -f -x -L: -P: -I: --gitignore --gitfile: --infofile: --ignore-case ' +
        '--matchdirs --metafirst --prune --info --noreport --charset: --filelimit: -q -N -Q ' +
        '-p -u -g -s -h --si -D --timefmt: -F --inodes --device -v -t -c -U -r --dirsfirst ' +
        '--filesfirst --sort: -i -A -S -n -C --du --fromfile --fromtabfile --hintro: --houtro: ' +
        '-X -J -H: -T: --nolinks --compress: --opt-toggle',
    },
  }),
  reads('basename', { options: { flag: '-a --multiple -s: --suffix: -z --zero' } }),
  reads('dirname', { options: { flag: '-z --zero' } }),
  reads('realpath grealpath', {
    options: {
      flag:
        '-e --canonicalize-existing -m --canonicalize-missing -L --logical -P --physical -q ' +
        '--quiet --relative-to: --relative-base: -s --strip --no-symlinks -z --zero',
    },
  }),
  reads('readlink greadlink', {
    options: {
      flag:
        '-f --canonicalize -e --canonicalize-existing -m --canonicalize-missing -n ' +
        '--no-newline -q --quiet -s --silent -v --verbose -z --zero',
    },
  }),
  reads('pathchk', { options: { flag: '-p -P --portability' } }),
  reads('file', {
    options: {
      write: '-C --compile',
      flag:
        '-v -m: --magic-file: -b --brief -c ' +
        '--checking-printout -e: --exclude: --exclude-quiet: -F: --separator: ' +
        '-i -I --mime --apple --extension --mime-type --mime-encoding -k --keep-going -l --list ' +
        '-L --dereference -h --no-dereference -n --no-buffer -N --no-pad -0 --print0 -P: ' +
        '--parameter: -r --raw -s --special-files -S --no-sandbox -d --debug',
    },
  }),
  reads('getfattr', { options: { flag: '-n: --name: -d --dump -e: -h -m: -R -L -P' } }),
  reads('getfacl', { options: { flag: '-a -c -d -e -E -s -R -L -P -t -p -n --absolute-names' } }),
  reads('lsattr', { options: { flag: '-R -V -a -d -l -p -v' } }),
  reads('diff gdiff', {
    options: {
      writeTo: '--output:',
      flag:
        '--normal -q --brief -s --report-identical-files -c -C: --context? -u -U: --unified? -e ' +
        '--ed -n --rcs -y --side-by-side -W: --width: --left-column --suppress-common-lines -p ' +
        '--show-c-function -F: --show-function-line: --label: -L: -t --expand-tabs -T ' +
        '--initial-tab --tabsize: --suppress-blank-empty -r --recursive ' +
        '--no-dereference -N --new-file -P --unidirectional-new-file --ignore-file-name-case ' +
        '--no-ignore-file-name-case -x: --exclude: -X: --exclude-from: -S: --starting-file: ' +
        '--from-file: --to-file: -i --ignore-case -E --ignore-tab-expansion -Z ' +
        '--ignore-trailing-space -b --ignore-space-change -w --ignore-all-space -B ' +
        '--ignore-blank-lines -I: --ignore-matching-lines: -a --text --strip-trailing-cr -D: ' +
        '--ifdef: --line-format: --old-line-format: --new-line-format: --unchanged-line-format: ' +
        '--old-group-format: --new-group-format: --changed-group-format: ' +
        '--unchanged-group-format: -d --minimal --horizon-lines: ' +
        '--speed-large-files --color? --palette: -v -#',
    },
  }),
  reads('cmp', {
    options: {
      flag: '-b --print-bytes -i: --ignore-initial: -l --verbose -n: --bytes: -s --quiet --silent -v',
    },
  }),
  reads('comm', {
    options: {
      flag: '-1 -2 -3 --check-order --nocheck-order --output-delimiter: --total -z --zero-terminated',
    },
  }),
  reads('diff3', {
    options: {
      program: '--diff-program:',
      flag: '-A -e -E -3 -x -X -i -m --merge -a --text --strip-trailing-cr -T -L: --label:',
    },
  }),
  reads('sdiff', {
    options: {
      writeTo: '-o: --output:',
      program: '--diff-program:',
      flag: '-i -E -Z -b -W -B -I: --strip-trailing-cr -a -w: --width: -l -s -t --tabsize: -d -H',
    },
  }),
]
