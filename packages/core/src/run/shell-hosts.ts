import { plainHost } from '../base/plain-host.ts'
import type { CommandFinding, ShellFindings } from '../shell/findings.ts'
import { baseName } from './shell-words.ts'

/**
 * Hosts that a command talks to, or undefined where the text does not tell all of them. Only
 * programs that are known to stay away from the network, or to talk to nobody but the addresses in
 * their words, leave the list whole (FC-17).
 */
export function hostsOf(shell: ShellFindings): readonly string[] | undefined {
  if (isSteered(shell)) return undefined
  const hosts: string[] = []
  const talking: CommandFinding[] = []
  for (const command of shell.commands) {
    const program = baseName(command.words[0] ?? '')
    if (program === 'curl') {
      const named = hostsOfCurl(command.words.slice(1))
      if (named === undefined) return undefined
      hosts.push(...named)
      talking.push(command)
    } else if (asking.has(program)) {
      return undefined
    } else if (command.kind !== 'read' && command.kind !== 'steer' && !offline.has(program)) {
      return undefined
    } else if (command.words.some((word) => word === null || /\/inet\d*\//.test(word))) {
      if (awks.has(program)) return undefined
    }
  }
  const isKnown = (shell.reach ?? []).every(
    ({ reach, start, end }) =>
      reach !== 'network' || talking.some((one) => one.start <= start && end <= one.end),
  )
  return isKnown ? [...new Set(hosts)] : undefined
}

const steering: ReadonlySet<string> = new Set([
  ...['program', 'code', 'runner', 'variable', 'input', 'place', 'computed'],
])

/** Something else runs than the text names, or the shell itself opens a connection. */
function isSteered({ unproven = [], takeovers, commands, reads, writes }: ShellFindings): boolean {
  const isCurl = (index: number) => baseName(commands[index]?.words[0] ?? '') === 'curl'
  if (unproven.some(({ what, command }) => steering.has(what) || isOdd(what, isCurl(command)))) {
    return true
  }
  if (takeovers.some(({ isOrdinary }) => isOrdinary !== true)) return true
  const paths = [...reads, ...writes].map(({ path }) => path)
  return paths.some((path) => path !== null && /\/dev\/(?:tcp|udp)\//.test(path))
}

/** Options of curl are read here, one by one. */
function isOdd(what: string, isCurl: boolean): boolean {
  return what === 'option' && !isCurl
}

/** They only read, and ask others for it: a name that is looked up tells it. */
const asking: ReadonlySet<string> = new Set([
  ...['lsof', 'getent', 'docker', 'podman', 'nerdctl', 'netstat', 'ss', 'who', 'w', 'last', 'host'],
  ...['nslookup', 'dig', 'ping', 'ping6', 'whois', 'traceroute', 'tracepath', 'hostname', 'finger'],
])

/** Programs that change files and never reach the network. */
const offline: ReadonlySet<string> = new Set([
  ...['mkdir', 'rmdir', 'touch', 'rm', 'mv', 'cp', 'ln', 'chmod', 'tee', 'sed', 'sort', 'truncate'],
])
const awks: ReadonlySet<string> = new Set(['awk', 'gawk', 'mawk', 'nawk'])

/** Options of curl that change neither where it connects to nor whom it is led to. */
const flags = new Set('sSfiIvkgGjJNOR0#46')
const longFlags: ReadonlySet<string> = new Set([
  ...['silent', 'show-error', 'fail', 'fail-with-body', 'include', 'head', 'verbose', 'insecure'],
  ...['get', 'compressed', 'remote-name', 'remote-header-name', 'no-progress-meter', 'globoff'],
  ...['progress-bar', 'no-buffer', 'http1.1', 'http2', 'ipv4', 'ipv6', 'create-dirs', 'raw'],
])
const valued = new Set('XHAodFTumbcwDer')
const longValued: ReadonlySet<string> = new Set([
  ...['request', 'header', 'user-agent', 'output', 'data', 'data-raw', 'data-binary', 'json'],
  ...['data-urlencode', 'form', 'form-string', 'upload-file', 'user', 'max-time', 'cookie'],
  ...['cookie-jar', 'write-out', 'dump-header', 'referer', 'range', 'connect-timeout', 'retry'],
  ...['retry-delay', 'oauth2-bearer', 'cacert', 'output-dir', 'max-filesize', 'limit-rate'],
])

/** Whether curl does nothing but what its words say: an option that is not known here may. */
export function isPlainCurl(words: readonly string[]): boolean {
  return hostsOfCurl(words) !== undefined
}

/** Every other word is an address; an option that is not known here may lead anywhere. */
function hostsOfCurl(words: readonly (string | null)[]): readonly string[] | undefined {
  const hosts: string[] = []
  for (let index = 0; index < words.length; index++) {
    const word = words[index]
    if (word === null || word === undefined) return undefined
    if (word.startsWith('-') && word !== '-') {
      const takes = takesNext(word)
      if (takes === undefined) return undefined
      if (takes) index += 1
      continue
    }
    const host = hostOf(word)
    if (host === undefined) return undefined
    hosts.push(host)
  }
  return hosts.length === 0 ? undefined : hosts
}

/** Whether the next word belongs to an option; undefined where the option is not known. */
function takesNext(word: string): boolean | undefined {
  if (word.startsWith('--')) {
    const name = word.slice(2)
    if (longFlags.has(name)) return false
    return longValued.has(name) ? true : undefined
  }
  for (const [index, letter] of [...word.slice(1)].entries()) {
    if (flags.has(letter)) continue
    if (!valued.has(letter)) return undefined
    return index === word.length - 2
  }
  return false
}

function hostOf(word: string): string | undefined {
  try {
    return plainHost(
      /^[a-z][a-z0-9+.-]*:/i.test(word) && word.includes('://') ? word : `https://${word}`,
    )
  } catch {
    return undefined
  }
}
