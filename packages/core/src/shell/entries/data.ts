import type { ProgramEntry } from '../programs/entry.ts'
import { all, passes, reads, writes } from './shape.ts'

const sqlFlags =
  '-h: --host: -p? --port: -U: --username: -d: --dbname: -u: --user: -P: ' +
  '-D: --database: -S: --socket: -A -t -q -x -X -w -W -N -B'

/** Structured data: JSON, YAML, XML and databases; and what shows text page by page. */
export const data: readonly ProgramEntry[] = [
  reads('jq gojq jaq', {
    reader: 'jq',
    options: {
      load: '-L:',
      flag:
        '-c --compact-output -n --null-input -e --exit-status -s --slurp -r --raw-output -j ' +
        '--join-output -a --ascii-output -R --raw-input -C --color-output -M ' +
        '--monochrome-output -S --sort-keys --tab --indent: --stream --seq --unbuffered ' +
        '--arg: --argjson: --slurpfile: --rawfile: --args --jsonargs --raw-output0 -f: ' +
        '--from-file:',
    },
  }),
  reads('yq', {
    reader: 'jq',
    options: {
      write: '-i --inplace --in-place -s: --split-exp:',
      flag:
        '-r --raw-output --unwrapScalar? -o: --output-format: -p: --input-format: -P ' +
        '--prettyPrint -C --colors -M --no-colors -e --exit-status -j --tojson -n ' +
        '--null-input -N --no-doc -I: --indent: -v -y --yaml-output -c -S',
    },
  }),
  reads('xmllint', {
    remoteOperand: '^\\w+://',
    options: {
      // External entities name files and addresses, and send what they read there.
      code: '--noent --loaddtd --dtdattr --xinclude --path: --dtdvalid: --schema:',
      writeTo: '-o: --output:',
      write: '--shell -shell --memory',
      flag: '--noout --format --pretty: --recover --html --xpath: --c14n --nonet --nowarning -q',
    },
  }),
  reads('json.tool', {
    writes: 'second',
    options: {
      flag: '--sort-keys --no-ensure-ascii --json-lines --indent: --tab --no-indent --compact',
    },
  }),
  reads('less zless', {
    reader: 'less',
    options: {
      writeAlso: '-o: -O: --log-file: --LOG-FILE:',
      load: '-k: --lesskey-file: --lesskey-src: --lesskey-content: -T: --tag-file: -t: --tag:',
      flag:
        '-N -S -R -r -F -X -E -e -i -I -n -s -M -m -c -C -f -g -G -q -Q -u -U -w -W -J -K -L -a ' +
        '-A -B -d --chop-long-lines --LINE-NUMBERS --line-numbers ' +
        '--RAW-CONTROL-CHARS --raw-control-chars --quit-if-one-screen --no-init --ignore-case ' +
        '--IGNORE-CASE --squeeze-blank-lines --quit-at-eof --QUIT-AT-EOF --force',
    },
  }),
  reads('more zmore', {
    options: { flag: '-d --silent -f -l -c -p -e -s --squeeze -u --plain -n: --lines: -#' },
  }),
  reads('bat batcat', {
    options: {
      run: '--pager:',
      flag:
        '-A --show-all -p --plain -pp -l: --language: -H: --highlight-line: --file-name: -d ' +
        '--diff --diff-context: --tabs: --wrap: -S --chop-long-lines --terminal-width: -n ' +
        '--number --color: --italic-text: --decorations: -f --force-colorization --paging: ' +
        '-P -m: --map-syntax: --theme: --list-themes -s --squeeze-blank --style: -r: ' +
        '--line-range: -L --list-languages -u --unbuffered',
    },
    changeOperand: '^cache$',
  }),
  // A page is set by a chain of programs, and a file of the project may be one.
  passes('man', {
    options: {
      run: '-P: --pager: -H? --html? -p: --preprocessor: -X? --gxditview?',
      code: '-C: --config-file: -R: --recode:',
      write: '-c --catman -u --update',
      quiet: '-f --whatis -k --apropos -w --where --path --location -W',
      flag:
        '-d --debug -K --global-apropos -L: --locale: -m: --systems: -M: --manpath: -S: -s: ' +
        '--sections: -e: --extension: -i --ignore-case -I --match-case --regex --wildcard ' +
        '--names-only -a --all -E: --encoding: -7 --ascii',
    },
  }),
  reads('whatis apropos', {
    options: { flag: '-d -v -e --exact -r --regex -w --wildcard -a --and -l --long -s: -m: -L:' },
  }),
  writes('openssl', 'does_writes_files_keys', {
    sub: {
      ...all('version', 'read', { style: 'single', options: { flag: '-a -v -d -p -o -f -b' } }),
      x509: {
        does: 'read',
        style: 'single',
        // What is no path may be an address, or the name of a store.
        codeValue: { '-in': '^[^/]*:' },
        options: {
          writeTo: '-out: -CAserial: -writerand:',
          write: '-CAcreateserial -req -signkey: -new',
          load: '-engine: -provider: -provider-path: -config: -extfile:',
          flag:
            '-in: -inform: -outform: -noout -text -dates -startdate -enddate -subject -issuer ' +
            '-serial -fingerprint -sha256 -sha1 -modulus -pubkey -hash -checkend: -checkhost: ' +
            '-nameopt: -certopt: -ext: -email -alias -purpose',
        },
      },
      dgst: {
        does: 'read',
        style: 'single',
        options: {
          writeTo: '-out:',
          load: '-engine: -provider:',
          flag: '-sha256 -sha1 -sha512 -md5 -hex -r -c -binary',
        },
      },
    },
  }),
  // It makes its folder and its database of trust where there are none.
  writes('gpg gpg2', 'does_writes_files_keys', {
    options: {
      rehearse:
        '-k --list-keys --list-public-keys -K --list-secret-keys --list-sigs --fingerprint ' +
        '--verify --list-packets --show-keys --list-config',
      writeTo: '-o: --output:',
      writeAlso: '--log-file: --logger-file: --status-file: --attribute-file:',
      flag: '--keyid-format: --with-colons --with-fingerprint -v --verbose -q --quiet --batch',
    },
  }),
  writes('gpgv gpgsm age', 'does_writes_files_keys'),
  passes('psql', {
    reader: 'sql',
    reach: 'network',
    options: {
      quiet: '-V',
      writeAlso: '-o: --output: -L: --log-file:',
      load: '-f: --file:',
      code: '-v: --set: --variable: -P: --pset:',
      flag: `${sqlFlags.replace(' -P:', '')} -F: --field-separator: -c: --command: --csv -E -e`,
    },
  }),
  passes('mysql mariadb', {
    reader: 'sql',
    reach: 'network',
    options: {
      writeAlso: '--tee:',
      code: '--init-command: --pager? --defaults-file: --defaults-extra-file: --plugin-dir:',
      flag: `${sqlFlags} -e: --execute: -s --silent --batch --table --skip-column-names -E`,
    },
  }),
  passes('sqlite3', {
    reader: 'sql',
    style: 'single',
    options: {
      load: '-init:',
      write: '-A: -archive:',
      flag:
        '-separator: -cmd: -newline: -nullvalue: -header -noheader -column -csv -json -line ' +
        '-list -table -markdown -box -html -tabs -batch -bail -readonly -safe -quote -ascii',
    },
  }),
  passes('duckdb', { reader: 'sql', style: 'single', options: { flag: '-c: -s: -json -csv' } }),
  passes('pg_dump pg_dumpall mysqldump mariadb-dump', {
    reach: 'network',
    options: { writeTo: '-f: --file: -r: --result-file: --tab: -T:' },
  }),
]
