import type { ProgramEntry } from '../programs/entry.ts'
import { all, changes, mayWrap, passes, reads, writes } from './shape.ts'

const ghList =
  '--json: -q: --jq: -t: --template: -L: --limit: -R: --repo: -s: --state: -a: --author: ' +
  '--assignee: -A: -l: --label: -S: --search: -B: --base: -H: --head: -d --draft --app: -c ' +
  '--comments --name-only --patch --color: --required --watch -i: --interval: --fail-fast ' +
  '--branch: --event: --user: --workflow: --status: --commit: --created: ' +
  '-v --verbose --log --log-failed --attempt: -j: --job: --exit-status --milestone: ' +
  '--exclude-drafts --exclude-pre-releases --order: -y --yaml --ref: --org: --env:'

const gh = (names: string) => all(names, 'read', { options: { flag: ghList } })

/** Transfers: fetching to the terminal is reading, saving or sending is not. */
export const network: readonly ProgramEntry[] = [
  reads('curl', {
    reader: 'curl',
    reach: 'network',
    addressed: true,
    options: {
      writeTo: '-o: --output:',
      write: '-O --remote-name --remote-name-all -J --remote-header-name',
      writeAlso:
        '-c: --cookie-jar: -D: --dump-header: --trace: --trace-ascii: --stderr: ' +
        '--hsts: --alt-svc: --etag-save: --libcurl: --output-dir:',
      change:
        '-d: --data: --data-raw: --data-binary: --data-ascii: --data-urlencode: ' +
        '--json: -F: --form: --form-string: -T: --upload-file: -Q: --quote: ' +
        '--mail-from: --mail-rcpt: --unix-socket: --abstract-unix-socket: -t: ' +
        '--telnet-option:',
      code: '-K: --config:',
      load: '--engine:',
      variable: '--variable:',
      flag:
        '-X: --request: -A: --user-agent: -b: --cookie: -e: --referer: -H: --header: -m: --max-time: -r: ' +
        '--range: -u: --user: -U: --proxy-user: -w: --write-out: -x: --proxy: -y: -Y: -z: ' +
        '--connect-timeout: --retry: --retry-delay: --retry-max-time: --retry-all-errors ' +
        '--retry-connrefused --cacert: --capath: --cert: -E: --key: --resolve: --url: ' +
        '--max-filesize: --limit-rate: --interface: --oauth2-bearer: --proto: --tls-max: ' +
        '--url-query: --etag-compare: --rate: --max-redirs: -G --get -I --head -L --location -s ' +
        '--silent -S --show-error -f --fail --fail-with-body -k --insecure -i --include -v ' +
        '--verbose -g --globoff -N --no-buffer -q -Z --parallel -4 -6 -0 --http1.1 --http2 ' +
        '--compressed -# --progress-bar --no-progress-meter -n --netrc --ciphers: --tlsv1.2 ' +
        '--tlsv1.3 --dns-servers: --connect-to: --raw --path-as-is -V',
    },
  }),
  writes('wget', 'does_saves_what_fetches', {
    reach: 'network',
    addressed: true,
    options: {
      writeTo: '-O: --output-document:',
      writeAlso: '-o: --output-file: -a: --append-output: --save-cookies: --rejected-log:',
      write: '-b --background',
      change: '--post-data: --post-file: --method: --body-data: --body-file:',
      program: '--use-askpass:',
      code: '-e: --execute: --config:',
      // A domain's HSTS entry is remembered in the home.
      flag: '-q --quiet -T: --timeout: -t: --tries: -U: --user-agent: --header: -nv -S --no-hsts',
    },
  }),
  writes('aria2c axel youtube-dl yt-dlp gdown', 'does_saves_what_fetches'),
  changes('scp sftp', 'does_copies_from_machine', {
    options: {
      program: '-S: -D:',
      code: '-o: -F: -J: -b:',
      flag: '-r -p -q -v -C -P: -i: -l: -c: -4 -6 -3 -B -a -f -N',
    },
  }),
  changes('rcp ftp lftp ncftp tftp smbclient rclone', 'does_copies_from_machine'),
  // Without a terminal it posts what it is fed, unless a method stands in front.
  passes('http https xh xhs', {
    reach: 'network',
    addressed: true,
    sub: {
      // It keeps settings and sessions of its own.
      ...all('GET HEAD OPTIONS get head options', 'pass', {
        // The content of a file goes into the address or a header.
        remoteOperand: '==@|:@',
        changeOperand: '^[\\w.-]+(?::=|=(?!=)|@)',
        options: {
          write: '-d --download --session: --session-read-only:',
          writeTo: '-o: --output:',
          flag: '-a: --auth: -p: --print: -h --headers -b --body -v --verbose -j --json --follow -F',
        },
      }),
      ...all('POST PUT PATCH DELETE post put patch delete', 'change'),
    },
  }),
  passes('nc ncat netcat', {
    reach: 'network',
    options: { run: '-e: -c: --exec: --sh-exec: --lua-exec:', writeAlso: '-o: --output: -x:' },
  }),
  { names: 'socat', does: 'opaque', reach: 'network' },
  passes('telnet', { reach: 'network' }),
  reads('ping ping6', {
    reach: 'network',
    addressed: true,
    options: { flag: '-c: -i: -W: -w: -t: -s: -n -q -4 -6 -D' },
  }),
  reads('dig', {
    reach: 'network',
    addressed: true,
    options: { flag: '-t: -p: -x: -4 -6 -c: -q: -b: -k: -y: -r -u -m' },
  }),
  reads('host nslookup', {
    reach: 'network',
    addressed: true,
    options: { flag: '-t: -a -v -4 -6 -W: -type?' },
  }),
  reads('whois', { reach: 'network', addressed: true, options: { flag: '-h: -p: -H' } }),
  reads('traceroute tracepath', {
    reach: 'network',
    addressed: true,
    options: { flag: '-n -m: -q: -w: -I -T -U -4 -6 -p: -b' },
  }),
  reads('ssh', { reader: 'ssh', reach: 'network' }),
  mayWrap('autossh', { reach: 'network' }),
  changes('ssh-copy-id ssh-agent', 'does_changes_keys'),
  changes('ssh-add', 'does_changes_keys', {
    reach: 'machine',
    options: { quiet: '-l -L', flag: '-E: -q -v' },
  }),
  changes('ssh-keygen', 'does_changes_keys', {
    options: { quiet: '-l', flag: '-f: -E: -v' },
  }),
  changes('mail mailx sendmail mutt msmtp swaks', 'does_sends_mail'),
  changes('gh', 'does_changes_something_server', {
    bare: 'read',
    reach: 'network',
    addressed: true,
    options: { flag: '-R: --repo:' },
    sub: {
      ...gh('status'),
      ...all('search', 'change', { sub: gh('repos issues prs commits code') }),
      ...all('copilot agent-task', 'change', { agent: true }),
      pr: { does: 'change', sub: gh('view list ls status diff checks') },
      issue: { does: 'change', sub: gh('view list ls status') },
      run: { does: 'change', sub: gh('view list ls watch') },
      release: { does: 'change', sub: gh('view list ls') },
      repo: { does: 'change', sub: gh('view list ls') },
      workflow: { does: 'change', sub: gh('view list ls') },
      gist: { does: 'change', sub: gh('view list ls') },
      label: { does: 'change', sub: gh('list ls') },
      cache: { does: 'change', sub: gh('list ls') },
      secret: { does: 'change', sub: gh('list ls') },
      variable: { does: 'change', sub: gh('list ls get') },
      auth: { does: 'change', sub: all('status', 'read') },
      config: { does: 'change', sub: gh('get list ls') },
      alias: { does: 'change', sub: gh('list ls') },
      extension: { does: 'change', sub: gh('list ls search') },
      api: {
        does: 'read',
        reader: 'curl',
        options: {
          change: '-f: -F: --field: --raw-field: --input:',
          flag:
            '-X: --method: -H: --header: -q: --jq: -t: --template: --hostname: --paginate --slurp -i ' +
            '--include --silent -p: --preview:',
        },
      },
    },
  }),
  changes('glab tea', 'does_changes_something_server', { reach: 'network' }),
]
