import { isJsonObject, type Phrase, phrase, type ShellFindings } from '@statewright/core/internal'
import { stringsIn } from './input-strings.ts'
import { holdsCode } from './named-paths.ts'
import type { ProtectedCall } from './protected-call.ts'

const message = phrase('speaks_to_us')

/** Whether a call would speak to our server past the doors that are meant for it. */
export function reachesUs({ input, call, ownPorts }: ProtectedCall): Phrase | undefined {
  const { shell } = call
  if (shell === undefined) {
    const strings = stringsIn(input).map(({ text }) => text.trim())
    const isNamed = strings.some((text) => isOurs(text, ownPorts))
    return isNamed || namesPort(input, ownPorts, 0) ? message : undefined
  }
  const text = shell.command
  if (endsUs(shell, ownPorts) || shell.commands.some(({ words }) => stopsUs(words))) {
    return phrase('ends_us')
  }
  if (shell.commands.some(({ words }) => showsVariables(words))) return phrase('around_the_rules')
  if (shell.commands.some(({ words }) => typesElsewhere(words)) || hidesTyping(shell)) {
    return phrase('around_the_rules')
  }
  if (opensOurCommand(shell)) return phrase('around_the_rules')
  if (/[$`)}\]][^\s;|&]*\/(?:logins\.json|statewright\.db)\b/.test(text)) return phrase('own_data')
  if (namesOurPort(shell, ownPorts)) return message
  if (/STATEWRIGHT_(?:TOKEN|URL|DATA)\b|\bsw_(?:hook|agent|person)_/.test(text)) return message
  const mayConnect =
    holdsCode(shell) ||
    shell.commands.some(({ words }) => connects(words[0] ?? '')) ||
    connection.test(text)
  const isNamed = [...ownPorts].some((port) => new RegExp(`(?<!\\d)${port}(?!\\d)`).test(text))
  return mayConnect && isNamed ? message : undefined
}

/** A name by which bash opens a connection, also where it is put together. */
const connection = /\/dev\/(?:tcp\/|udp\/|[^\s/]*[{$?*[`'"\\])/

/**
 * Commands of a terminal multiplexer that say what there is, or begin something of one's own. All
 * others may type into, or read, what a person has open in it; and it takes the beginning of a
 * command for the whole.
 */
const plainPanes: Readonly<Record<string, RegExp>> = {
  tmux: /^(?:ls|list-[a-z]+|has|has-session|new|new-session|kill-session|kill-server)$/,
  byobu: /^(?:ls|list-[a-z]+)$/,
  screen: /^-(?:ls|list|dm|dmS|v|wipe)$/,
  zellij: /^(?:ls|list-sessions|--version|kill-session|kill-all-sessions|delete-session)$/,
}

function typesElsewhere(words: readonly (string | null)[]): boolean {
  const program = baseName(words[0] ?? '')
  if (typing.has(program)) return true
  // A terminal of its own makes anyone who is in it look like a person.
  const isTerminal = multiplexers.has(program) || terminals.has(program)
  if (isTerminal && words.some((word) => /\bstatewright\b/.test(word ?? ''))) return true
  if (terminals.has(program) && words.some((word) => word === '@' || word === 'cli')) return true
  if (!multiplexers.has(program)) return false
  const given = words.slice(1)
  if (given.length === 0) return false
  const verb = given.find((word, index) => !isOption(word, given[index - 1]))
  const asked = program === 'screen' ? given[0] : (verb ?? given[0])
  if (given.some((word) => /^-C/.test(word ?? ''))) return true
  return asked === null || asked === undefined || plainPanes[program]?.test(asked) !== true
}

/** Options before the command of a multiplexer, with their values. */
function isOption(word: string | null, before: string | null | undefined): boolean {
  return word?.startsWith('-') === true || /^-[LSfTc]$/.test(before ?? '')
}

const multiplexers: ReadonlySet<string> = new Set(['tmux', 'screen', 'byobu', 'zellij', 'dvtm'])
const terminals: ReadonlySet<string> = new Set(
  'expect script unbuffer dtach abduco xterm gnome-terminal konsole kitty wezterm ttyd'.split(' '),
)

/** Another program, or code, that looks into our own command while it has a person's login. */
function opensOurCommand({ command, commands }: ShellFindings): boolean {
  const starts = commands.some(({ words }) =>
    words.some((word) => /(?:^|\/)statewright$/.test(word ?? '')),
  )
  if (!starts) return false
  if (/\b(?:NODE_OPTIONS|NODE_PATH|LD_\w+|DYLD_\w+)=/.test(command)) return true
  return commands.some(({ words }) => tracers.has(baseName(words[0] ?? '')))
}

const tracers: ReadonlySet<string> = new Set(
  'strace ltrace gdb lldb perf ptrace bpftrace'.split(' '),
)

/** By which a multiplexer says that we run in it: who ends its session ends us. */
const sessions: readonly (readonly [string, string])[] = [
  ['tmux', 'TMUX'],
  ['byobu', 'TMUX'],
  ['screen', 'STY'],
  ['zellij', 'ZELLIJ'],
]
const managers: ReadonlySet<string> = new Set(
  'systemctl service rc-service supervisorctl pm2 launchctl docker podman initctl'.split(' '),
)
const stopping = /^(?:stop|kill|restart|disable|mask|rm|remove|delete|bootout|unload|pause)$/

/** Whether a command ends what we run in: a session of a terminal, a service of our name. */
function stopsUs(words: readonly (string | null)[]): boolean {
  const program = baseName(words[0] ?? '')
  const given = words.slice(1).filter((word) => word !== null)
  const isIn = sessions.some(([name, variable]) => {
    return name === program && process.env[variable] !== undefined
  })
  if (isIn && given.some((word) => /^(?:kill|delete)|^quit$/.test(word))) return true
  if (!managers.has(program) || !given.some((word) => stopping.test(word))) return false
  return given.some((word) => /statewright/.test(word))
}

/** `ps e` shows the variables of every process, ours too. With a dash it is another option. */
function showsVariables(words: readonly (string | null)[]): boolean {
  if (baseName(words[0] ?? '') !== 'ps') return false
  return words.some((word, index) => {
    if (index === 0 || word === null || !/^[a-zA-Z]*e[a-zA-Z]*$/.test(word)) return false
    const before = index === 1 ? '' : (words[index - 1] ?? '')
    return !/^-.*[oOCuUgGpstk]$|^--|^[a-z]*[oOpUtk]$/.test(before)
  })
}

/** A program whose name is put together, in a text that names one of these. */
function hidesTyping({ command, commands }: ShellFindings): boolean {
  if (!commands.some(({ words: [program] }) => program === null)) return false
  const named = command.split(/[\s'"`;|&<>()=,$]+/)
  return named.some((word) => multiplexers.has(word) || typing.has(word))
}

/** Programs that press keys for a person. */
const typing: ReadonlySet<string> = new Set(['xdotool', 'ydotool', 'wtype', 'dotool', 'kdotool'])

/**
 * An address of ours behind any program, once the shell has put it together; and one of this
 * machine whose port is only known when it runs.
 */
function namesOurPort(shell: ShellFindings, ownPorts: ReadonlySet<number>): boolean {
  const words = shell.commands.flatMap(({ words }) => words.slice(1))
  const isNamed = words.some((word) => {
    if (word === null) return false
    const address = word.replace(/^-{1,2}[\w-]+=/, '')
    return isOurs(address, ownPorts) || rangeHolds(address, ownPorts)
  })
  if (isNamed) return true
  const proxies = [...shell.command.matchAll(/proxy=["']?([^\s"';|&]+)/gi)]
  if (proxies.some(([, address = '']) => isOurs(address, ownPorts))) return true
  const reachesOut = shell.commands.some(({ words: [program] }) => connects(program ?? ''))
  if (reachesOut && computedPort.test(shell.command)) return true
  const text = shell.command.replaceAll(/["'\\]/g, '')
  const opened = [...text.matchAll(/\/dev\/(?:tcp|udp)\/[^\s/]*\/(0x[\da-f]+|\d+)/gi)]
  if (opened.some(([, port]) => ownPorts.has(Number(port)))) return true
  return /\/dev\/(?:tcp|udp)\/[^\s/]*\/[^\s;|&<>)]*[$`{]/.test(text)
}

/** `localhost:$((4000+747))`; the same with a variable or a brace in it. */
const computedPort = /(?:localhost|127\.|\[::|0\.0\.0\.0|0x7f)[^\s/'"]*:[^\s/'"]*[$`{]/i

/** Numbers from one to another, as curl reads them. */
function rangeHolds(address: string, ownPorts: ReadonlySet<number>): boolean {
  const [, lead = '', from, to, end = ''] =
    /:(\d*)\[(\d+)-(\d+)(?::\d+)?\](\d*)/.exec(address) ?? []
  return [...ownPorts].some((port) => {
    const text = String(port)
    if (!text.startsWith(lead) || !text.endsWith(end)) return false
    const middle = Number(text.slice(lead.length, text.length - end.length))
    return middle >= Number(from) && middle <= Number(to)
  })
}

/** Programs that end, stop or look into another process, by its number or its port. */
const reaching: ReadonlySet<string> = new Set(
  'kill fuser gdb lldb strace ltrace perf prlimit renice reptyr gcore ptrace skill snice'.split(
    ' ',
  ),
)
/** The same, by a pattern of its name. */
const byName: ReadonlySet<string> = new Set(['pkill', 'killall'])

/** Whether a command signals or traces our own process, sums of plain numbers folded (SH-17). */
function endsUs(shell: ShellFindings, ownPorts: ReadonlySet<number>): boolean {
  const programs = shell.commands.map(({ words }) => baseName(words[0] ?? ''))
  const text = withNumbers(shell)
  // In a container our number is small, and any code may hold it.
  const isCode =
    (holdsCode(shell) && /kill|signal|ptrace/i.test(text)) || /\binspect\b|_debugProcess/.test(text)
  const reaches = isCode || programs.some((name) => reaching.has(name))
  if (reaches && hasNumber(text, process.pid)) return true
  const ends = programs.some((name) => name === 'kill' || name === 'fuser')
  if (ends && /\b(?:pgrep|pidof)\b[^|;&)]*statewright/.test(text)) return true
  // Every process of the user is one of them.
  const isAll = shell.commands.some(({ words }) => {
    return baseName(words[0] ?? '') === 'kill' && words.length > 2 && words.at(-1) === '-1'
  })
  if (isAll) return true
  if (ends && [...ownPorts].some((port) => hasNumber(text, port))) return true
  return shell.commands.some(({ words: [program, ...rest] }) => {
    if (!byName.has(baseName(program ?? ''))) return false
    return rest.some((word) => word !== null && !word.startsWith('-') && isOurName(word))
  })
}

/** The text with its sums added up, and the words that the shell makes of it. */
function withNumbers({ command, commands }: ShellFindings): string {
  const text = command.replaceAll(/\b0x[\da-f]{1,8}\b/gi, (hex) => String(Number(hex)))
  const sums = text.match(/\d[\d\s+*()-]{0,100}[+*-]\s*\d+/g) ?? []
  const folded = text.replaceAll(/\$\(\(([\d\s+*()-]{1,100})\)\)/g, (_, sum: string) => {
    return ` ${sumOf(sum)} `
  })
  // One more or less than a number: `((p++))`.
  const steps = /\+\+|--\W|[+-]=/.test(text) ? (text.match(/\b\d{2,9}\b/g) ?? []) : []
  const near = steps.flatMap((one) => [Number(one) - 1, Number(one) + 1])
  const words = commands.flatMap(({ words }) => words).filter((word) => word !== null)
  return [folded, ...words, ...sums.map(sumOf), ...near].join(' ')
}

/** Sums and products of plain numbers, as a shell adds them up. */
function sumOf(text: string): number {
  const marks = text.match(/\d+|[+*()-]/g) ?? []
  let at = 0
  const single = (): number => {
    const mark = marks[at++]
    if (mark === '-') return -single()
    if (mark === '+') return single()
    if (mark !== '(') return Number(mark)
    const inner = sum()
    at += 1
    return inner
  }
  const product = (): number => {
    let value = single()
    while (marks[at] === '*') {
      at += 1
      value *= single()
    }
    return value
  }
  const sum = (): number => {
    let value = product()
    while (marks[at] === '+' || marks[at] === '-') {
      const sign = marks[at++] === '+' ? 1 : -1
      value += sign * product()
    }
    return value
  }
  return sum()
}

function hasNumber(text: string, number: number): boolean {
  return new RegExp(`(?<![\\w.])${number}(?![\\w.])`).test(text)
}

const ownLine = [process.title, process.execPath, ...process.argv.slice(1)].join(' ')

function isOurName(pattern: string): boolean {
  try {
    return new RegExp(pattern).test(ownLine)
  } catch {
    return ownLine.includes(pattern)
  }
}

function baseName(program: string): string {
  return program.slice(program.lastIndexOf('/') + 1)
}

/** Programs that open connections by themselves. */
const connecting: ReadonlySet<string> = new Set(
  (
    'curl wget nc ncat netcat socat telnet http https xh httpie ssh openssl aria2c lynx w3m ' +
    'websocat grpcurl'
  ).split(' '),
)

function connects(program: string): boolean {
  return connecting.has(baseName(program))
}

/** A whole string that is an address. Any host: a name may lead here as well as its numbers do. */
function isOurs(text: string, ownPorts: ReadonlySet<number>): boolean {
  const bare = /^(?:\[[^\]]+\]|[\w.-]+):(\d{1,5})(?:\/\S*)?$/.exec(text)?.[1]
  if (bare !== undefined) return ownPorts.has(Number(bare))
  if (!/^(?:https?|wss?|tcp):/i.test(text)) return false
  try {
    return ownPorts.has(Number(new URL(text).port || 80))
  } catch {
    return false
  }
}

/** A port beside its host, in a field of its own. */
function namesPort(value: unknown, ownPorts: ReadonlySet<number>, depth: number): boolean {
  if (depth > 20) return false
  if (Array.isArray(value)) return value.some((item) => namesPort(item, ownPorts, depth + 1))
  if (!isJsonObject(value)) return false
  return Object.entries(value).some(([name, item]) => {
    if (/port$/i.test(name) && ownPorts.has(Number(item))) return true
    return namesPort(item, ownPorts, depth + 1)
  })
}
