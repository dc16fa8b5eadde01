import type { ProgramEntry } from '../programs/entry.ts'
import { reads } from './shape.ts'

const sums = {
  options: {
    flag:
      '-b --binary -c --check --tag -t --text -z --zero --ignore-missing --quiet --status ' +
      '--strict -w --warn -l: --length: -a: --algorithm: --untagged --raw --debug',
  },
}

/** Programs that print, cut, count, sort and convert text. None of them writes by itself. */
export const text: readonly ProgramEntry[] = [
  reads('echo printf true false test [ pwd sleep yes tsort tty logname arch users hostid expr'),
  reads('cat gcat', {
    options: {
      flag:
        '-A --show-all -b --number-nonblank -e -E --show-ends -n --number -s --squeeze-blank ' +
        '-t -T --show-tabs -u -v --show-nonprinting',
    },
  }),
  reads('tac', { options: { flag: '-b --before -r --regex -s: --separator:' } }),
  reads('rev', { options: { flag: '-0 --zero' } }),
  reads('nl', {
    options: {
      flag:
        '-b: --body-numbering: -d: --section-delimiter: -f: --footer-numbering: -h: ' +
        '--header-numbering: -i: --line-increment: -l: --join-blank-lines: -n: ' +
        '--number-format: -p --no-renumber -s: --number-separator: -v: ' +
        '--starting-line-number: -w: --number-width:',
    },
  }),
  reads('head ghead', {
    options: {
      flag: '-c: --bytes: -n: --lines: -q --quiet --silent -v --verbose -z --zero-terminated -#',
    },
  }),
  reads('tail gtail', {
    options: {
      flag:
        '-c: --bytes: -f --follow? -F -n: --lines: --max-unchanged-stats: --pid: -q --quiet ' +
        '--silent --retry -s: --sleep-interval: -v --verbose -z --zero-terminated -#',
    },
  }),
  reads('wc gwc', {
    codeValue: { '--files0-from': '.' },
    options: {
      flag: '-c --bytes -m --chars -l --lines --files0-from: -L --max-line-length -w --words --total:',
    },
  }),
  reads('cut', {
    options: {
      flag:
        '-b: --bytes: -c: --characters: -d: --delimiter: -f: --fields: -n --complement -s ' +
        '--only-delimited --output-delimiter: -z --zero-terminated',
    },
  }),
  reads('paste', { options: { flag: '-d: --delimiters: -s --serial -z --zero-terminated' } }),
  reads('join', {
    options: {
      flag:
        '-a: -e: -i --ignore-case -j: -o: -t: -v: -1: -2: --check-order --nocheck-order ' +
        '--header -z --zero-terminated',
    },
  }),
  reads('fold', { options: { flag: '-b --bytes -s --spaces -w: --width:' } }),
  reads('fmt', {
    options: {
      flag:
        '-c --crown-margin -p: --prefix: -s --split-only -t --tagged-paragraph -u ' +
        '--uniform-spacing -w: --width: -g: --goal: -#',
    },
  }),
  reads('expand unexpand', { options: { flag: '-i --initial -t: --tabs: -a --all --first-only' } }),
  reads('tr gtr', {
    options: { flag: '-c -C --complement -d --delete -s --squeeze-repeats -t --truncate-set1' },
  }),
  reads('numfmt', {
    options: {
      flag:
        '--debug -d: --delimiter: --field: --format: --from: --from-unit: --grouping --header? ' +
        '--invalid: --padding: --round: --suffix: --to: --to-unit: -z --zero-terminated',
    },
  }),
  reads('seq', { options: { flag: '-f: --format: -s: --separator: -w --equal-width -#' } }),
  reads('factor', { options: { flag: '-h --exponents' } }),
  reads('column', {
    options: {
      flag:
        '-t --table -n: --table-name: -O: --table-order: -N: --table-columns: -l: ' +
        '--table-columns-limit: -E: --table-noextreme: -d --table-noheadings -e ' +
        '--table-header-repeat -H: --table-hide: -R: --table-right: -T: --table-truncate: ' +
        '-W: --table-wrap: -L --keep-empty-lines -J --json -r: --tree: -i: --tree-id: -p: ' +
        '--tree-parent: -c: --output-width: -o: --output-separator: -s: --separator: -x ' +
        '--fillrows',
    },
  }),
  reads('look', { options: { flag: '-a --alternative -d --alphanum -f --ignore-case -t:' } }),
  reads('md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum', sums),
  reads('shasum', {
    options: {
      flag: '-a: --algorithm: -b --binary -c --check -t --text -0 --01 -U -s -w --warn -q --quiet',
    },
  }),
  reads('sum', { options: { flag: '-r -s --sysv' } }),
  reads('md5 crc32'),
  reads('od', {
    options: {
      flag:
        '-A: --address-radix: --endian: -j: --skip-bytes: -N: --read-bytes: -S? --strings? -t: ' +
        '--format: -v --output-duplicates -w? --width? --traditional -a -b -c -d -f -i -l -o ' +
        '-s -x -e -h -B -D -F -H -I -L -O -X',
    },
  }),
  reads('hexdump hd', {
    options: {
      flag:
        '-b --one-byte-octal -c --one-byte-char -C --canonical -d --two-bytes-decimal -o ' +
        '--two-bytes-octal -x --two-bytes-hex -L? --color? -e: --format: -f: --format-file: ' +
        '-n: --length: -s: --skip: -v --no-squeezing',
    },
  }),
  reads('xxd', {
    style: 'single',
    writes: 'second',
    options: {
      flag:
        '-a -b -C -c: -E -e -g: -i -l: -n: -o: -ps -p -r -d -s: -u -R: -v -h -autoskip -bits ' +
        '-cols: -groupsize: -include -len: -plain -postscript -revert -seek: -uppercase',
    },
  }),
  reads('base64 base32 basenc gbase64', {
    options: {
      writeTo: '-o: --output:',
      flag:
        '-d -D --decode -w: --wrap: --ignore-garbage --base64 --base64url --base32 --base32hex ' +
        '--base16 --base2msbf --base2lsbf --z85',
    },
  }),
  reads('iconv', {
    options: {
      writeTo: '-o: --output:',
      flag: '-f: --from-code: -t: --to-code: -l --list -c -s --silent --verbose',
    },
  }),
  reads('shuf', {
    options: {
      writeTo: '-o: --output:',
      flag:
        '-e --echo -i: --input-range: -n: --head-count: --random-source: -r --repeat -z ' +
        '--zero-terminated',
    },
  }),
  reads('sort gsort', {
    codeValue: { '--files0-from': '.' },
    options: {
      writeTo: '-o: --output:',
      writeAlso: '-T: --temporary-directory:',
      program: '--compress-program:',
      flag:
        '-b -d -f -g -i -M -h -n -R -r -V -c -C -m -s -u -z -k: -t: -S: ' +
        '--ignore-leading-blanks --dictionary-order --ignore-case ' +
        '--general-numeric-sort --ignore-nonprinting --month-sort ' +
        '--human-numeric-sort --numeric-sort --random-sort --random-source: --reverse ' +
        '--sort: --version-sort --batch-size: --check? --debug --files0-from: --key: ' +
        '--merge --stable --buffer-size: --field-separator: ' +
        '--parallel: --unique --zero-terminated',
    },
  }),
  reads('uniq guniq', {
    writes: 'second',
    options: {
      flag:
        '-c --count -d --repeated -D --all-repeated? -f: --skip-fields: --group? -i ' +
        '--ignore-case -s: --skip-chars: -u --unique -z --zero-terminated -w: --check-chars:',
    },
  }),
  reads('cal ncal', { options: { flag: '-3 -1 -y -j -m: -A: -B: -h -w -b -d: -H: -J -e -o -p' } }),
  reads('bc', { options: { flag: '-l -q -s -w -i --mathlib --quiet --standard --warn' } }),
  reads('sed gsed', { reader: 'sed' }),
  reads('awk gawk mawk nawk original-awk', { reader: 'awk' }),
  reads('envsubst', { environment: true, options: { flag: '-v --variables' } }),
]
