import type { ProgramEntry } from '../programs/entry.ts'
import { reads, writes } from './shape.ts'

/** Programs that read, search, sort, compare and print. */
export const text: readonly ProgramEntry[] = [
  reads('cat gcat tac rev nl head ghead tail gtail wc cut paste join fold fmt expand unexpand pr'),
  reads('tr comm cmp diff3 colordiff diffstat column look tsort ptx numfmt seq jot yes'),
  reads('grep egrep fgrep ggrep zgrep agrep pcregrep pcre2grep ugrep strings'),
  reads('ls ll la l dir vdir gls exa eza lsd stat gstat du df dust duf ncdu'),
  reads('basename dirname realpath readlink pathchk cksum sum md5sum sha1sum sha224sum sha256sum'),
  reads('sha384sum sha512sum b2sum md5 shasum sha256 crc32 od hexdump hd factor expr bc'),
  reads('which whereis whatis apropos locate mlocate plocate cal ncal banner figlet units'),
  reads('echo printf true false test [ pwd sleep usleep gsleep clear tput tty stty'),
  reads('nm objdump readelf size ldd addr2line c++filt otool dwarfdump'),
  reads('iconv', {
    options: { writeTo: '-o: --output:', flag: '-f: -t: --from-code: --to-code:' },
  }),
  reads('shuf', {
    options: {
      writeTo: '-o: --output:',
      flag: '-i: -n: -e -r -z --input-range: --head-count: --random-source:',
    },
  }),
  reads('sort gsort', {
    strict: true,
    options: {
      writeTo: '-o: --output:',
      program: '--compress-program:',
      flag:
        '-b -d -f -g -i -M -h -n -R -r -V -c -C -m -s -u -z -k: -t: -S: -T: ' +
        '--ignore-leading-blanks --dictionary-order --ignore-case ' +
        '--general-numeric-sort --ignore-nonprinting --month-sort ' +
        '--human-numeric-sort --numeric-sort --random-sort --random-source: --reverse ' +
        '--sort: --version-sort --batch-size: --check? --debug --files0-from: --key: ' +
        '--merge --stable --buffer-size: --field-separator: --temporary-directory: ' +
        '--parallel: --unique --zero-terminated',
    },
  }),
  reads('uniq guniq', {
    writes: 'second',
    options: { flag: '-f: -s: -w: --skip-fields: --skip-chars: --check-chars:' },
  }),
  reads('diff gdiff', {
    options: { writeTo: '--output:', flag: '-U: -C: -W: -x: -X: -I: -F: -D:' },
  }),
  reads('sdiff wdiff', { options: { writeTo: '-o: --output:', program: '--diff-program:' } }),
  reads('tree', {
    options: {
      writeTo: '-o: --output:',
      flag: '-L: -P: -I: -H: -T: --filelimit: --charset: --sort: --gitfile: --fromfile',
    },
  }),
  reads('xxd', { writes: 'second', options: { flag: '-c: -g: -l: -s: -o: -n:' } }),
  reads('base64 base32 basenc gbase64', {
    options: { writeTo: '-o: --output:', flag: '-w: --wrap: -b: -i: -d -D' },
  }),
  reads('rg ripgrep', {
    options: {
      program: '--pre: --hostname-bin:',
      flag:
        '-e: -f: -g: -t: -T: -A: -B: -C: -m: -M: -j: -E: -r: -d: --regexp: --file: ' +
        '--glob: --iglob: --type: --type-not: --type-add: --type-clear: ' +
        '--after-context: --before-context: --context: --max-count: --max-columns: ' +
        '--threads: --encoding: --replace: --max-depth: --max-filesize: --sort: ' +
        '--sortr: --color: --colors: --pre-glob: --ignore-file: --path-separator: ' +
        '--pretty --pcre2 --passthru',
    },
  }),
  reads('ag ack', { options: { run: '--pager:' } }),
  reads('sed gsed', { reader: 'sed' }),
  reads('awk gawk mawk nawk original-awk', { reader: 'awk' }),
  reads('jq gojq jaq', { reader: 'jq' }),
  reads('yq xq tomlq', {
    reader: 'jq',
    options: { write: '-i --inplace --in-place -s: --split-exp:' },
  }),
  reads('xmllint xmlstarlet xml', {
    options: { writeTo: '-o: --output:', write: '--shell -L --inplace' },
  }),
  reads('xsltproc', { options: { writeTo: '-o: --output:' } }),
  reads('tidy', { options: { write: '-m -modify', writeTo: '-o: -output:' } }),
  reads('less most pg zless lv', { reader: 'less' }),
  reads('more', { reader: 'less' }),
  reads('bat batcat', { options: { run: '--pager:' }, sub: { cache: { does: 'write' } } }),
  reads('man', {
    options: {
      run: '-P: --pager: -H? --html? --preprocessor:',
      code: '-C: --config-file:',
      flag:
        '-M: -S: -s: -L: -m: -e: -E: -p: -R: -r: --manpath: --sections: --locale: ' +
        '--systems: --extension: --encoding: --prompt: --recode:',
    },
  }),
  reads('info', { options: { writeTo: '-o: --output: --dribble:', load: '--restore:' } }),
  reads('file', { options: { write: '-C --compile', flag: '-m: -f: -F: -e: -P:' } }),
  reads('dc', { reader: 'dc' }),
  reads('m4', { reader: 'opaque' }),
  reads('envsubst', { environment: true }),
  reads('openssl', {
    style: 'single',
    changeOperand: '^(?:ca|rehash)$',
    options: {
      writeTo: '-out: -keyout: -writerand: -CAserial:',
      write: '-newkey: -CAcreateserial',
      load: '-config: -engine: -provider:',
      code: '-pre: -post:',
      flag:
        '-in: -inkey: -passin: -passout: -subj: -days: -connect: -servername: ' +
        '-CAfile: -cert: -key: -text -noout -d -base64 -a -A -e -md: -k: -K: -iv: -S:',
    },
  }),
  writes('gpg gpg2 gpgv gpgsm age', 'does_writes_files_keys', {
    options: {
      quiet:
        '-k -K --list-keys --list-secret-keys --fingerprint --verify --list-packets ' +
        '--print-md --list-sigs --check-sigs -d --decrypt --export',
      writeTo: '-o: --output:',
      writeAlso: '--log-file: --logger-file: --status-file:',
      flag: '-u: -r: --recipient: --local-user: --homedir: --keyring:',
    },
  }),
]
