import { phrase } from '../../base/text/phrase.ts'
import type { ProgramEntry } from '../programs/entry.ts'
import { all, changes, passes, reads, writes } from './shape.ts'

/** Transfers: fetching to the terminal is reading, saving or sending is not. */
export const network: readonly ProgramEntry[] = [
  reads('curl', {
    reader: 'curl',
    options: {
      writeTo: '-o: --output:',
      write: '-O --remote-name --remote-name-all -J --remote-header-name',
      writeAlso:
        '-c: --cookie-jar: -D: --dump-header: --trace: --trace-ascii: --stderr: ' +
        '--hsts: --alt-svc: --etag-save: --libcurl: --trace-config:',
      change:
        '-d: --data: --data-raw: --data-binary: --data-ascii: --data-urlencode: ' +
        '--json: -F: --form: --form-string: -T: --upload-file: -Q: --quote: ' +
        '--mail-from: --mail-rcpt:',
      code: '-K: --config:',
      load: '--engine:',
      variable: '--variable:',
      flag:
        '-X: --request: -A: --user-agent: -b: --cookie: -C: --continue-at: -e: ' +
        '--referer: -E: --cert: -H: --header: -m: --max-time: -P: --ftp-port: -r: ' +
        '--range: -t: --telnet-option: -u: --user: -U: --proxy-user: -w: --write-out: ' +
        '-x: --proxy: -y: --speed-time: -Y: --speed-limit: -z: --time-cond: ' +
        '--connect-timeout: --retry: --retry-delay: --retry-max-time: --cacert: ' +
        '--capath: --key: --resolve: --url: --max-filesize: --limit-rate: ' +
        '--interface: --oauth2-bearer: --output-dir: --proto: --tls-max: ' +
        '--unix-socket: --url-query: --etag-compare: --rate: --max-redirs: -G --get ' +
        '-I --head -L -s -S -f -k -i -v -g -N -q -Z -h? --ciphers: --dns-servers: ' +
        '--connect-to: --request-target: --aws-sigv4:',
    },
  }),
  writes('wget', 'does_saves_what_fetches', {
    options: {
      quiet: '--spider',
      writeTo: '-O: --output-document:',
      writeAlso:
        '-o: --output-file: -a: --append-output: --save-cookies: --rejected-log: --warc-file: --hsts-file:',
      write: '-b --background',
      change: '--post-data: --post-file: --method: --body-data: --body-file:',
      program: '--use-askpass:',
      code: '-e: --execute: --config:',
      flag:
        '-T: --timeout: -t: --tries: -U: --user-agent: -P: --directory-prefix: -i: ' +
        '--input-file: -B: --base: -l: --level: -A: -R: -D: -I: -X: -Q: -w: --wait: ' +
        '--header: --user: --password: --limit-rate: --load-cookies: -n -nc -nv -np ' +
        '-nH -nd',
    },
  }),
  writes('aria2c axel youtube-dl yt-dlp gdown', 'does_saves_what_fetches', {
    options: { quiet: '--simulate -s -j --dump-json -F --list-formats -g --get-url --dry-run?' },
  }),
  changes('scp sftp rcp ftp lftp ncftp tftp smbclient', 'does_copies_from_machine'),
  changes('rclone', 'does_copies_files', {
    sub: all('ls lsd lsl lsf lsjson size about version check cat', 'read'),
  }),
  reads('http https xh xhs', {
    changeOperand: '^(?:POST|PUT|PATCH|DELETE|post|put|patch|delete)$|^[\\w.-]+(?::=|=(?!=)|@)',
    options: {
      write: '-d --download',
      writeTo: '-o: --output:',
      flag: '-a: --auth: -p: --print: -s: --session:',
    },
  }),
  passes('nc ncat netcat', {
    options: {
      run: '-e: -c: --exec: --sh-exec: --lua-exec:',
      writeAlso: '-o: --output: -x: --hex-dump:',
      flag: '-p: -w: -s: -i: -q: -X: -l -k -n -u -v -z',
    },
  }),
  reads('nmap masscan', { options: { writeAlso: '-oN: -oX: -oG: -oA: -oS: -oJ: -oL:' } }),
  { names: 'socat', does: 'opaque', why: phrase('does_opens_whatever_addresses_say') },
  passes('telnet'),
  reads('ssh autossh', { reader: 'ssh' }),
  changes('ssh-copy-id ssh-add', 'does_changes_keys', { options: { quiet: '-l -L -T' } }),
  changes('mail mailx sendmail mutt msmtp swaks', 'does_sends_mail'),
  changes('gh', 'does_changes_something_server', {
    bare: 'read',
    options: { flag: '-R: --repo:' },
    sub: {
      ...all('status search', 'read'),
      ...all('copilot agent-task', 'change', { agent: true }),
      pr: { does: 'change', sub: all('view list ls status diff checks', 'read') },
      issue: { does: 'change', sub: all('view list ls status', 'read') },
      run: {
        does: 'change',
        sub: {
          ...all('view list ls watch', 'read'),
          download: { does: 'write', why: phrase('does_saves_files') },
        },
      },
      release: {
        does: 'change',
        sub: {
          ...all('view list ls', 'read'),
          download: { does: 'write', why: phrase('does_saves_files') },
        },
      },
      repo: { does: 'change', sub: all('view list ls', 'read') },
      workflow: { does: 'change', sub: all('view list ls', 'read') },
      gist: { does: 'change', sub: all('view list ls', 'read') },
      label: { does: 'change', sub: all('list ls', 'read') },
      cache: { does: 'change', sub: all('list ls', 'read') },
      secret: { does: 'change', sub: all('list ls', 'read') },
      variable: { does: 'change', sub: all('list ls get', 'read') },
      auth: { does: 'change', sub: all('status', 'read') },
      config: { does: 'change', sub: all('get list ls', 'read') },
      alias: { does: 'change', sub: all('list ls', 'read') },
      extension: { does: 'change', sub: all('list ls search', 'read') },
      api: {
        does: 'read',
        reader: 'curl',
        options: {
          change: '-f: -F: --field: --raw-field: --input:',
          flag:
            '-X: --method: -H: --header: -q: --jq: -t: --template: --hostname: --cache: ' +
            '-p: --preview:',
        },
      },
    },
  }),
  changes('glab tea', 'does_changes_something_server', {
    readOperand: '^(?:view|list|ls|status|diff|show|trace)$',
  }),
]
