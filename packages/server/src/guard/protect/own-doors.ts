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
  if (endsUs(shell, ownPorts)) return phrase('ends_us')
  if (/STATEWRIGHT_(?:TOKEN|URL|DATA)\b|\bsw_(?:hook|agent|person)_/.test(text)) return message
  const mayConnect =
    holdsCode(shell) ||
    shell.commands.some(({ words }) => connects(words[0] ?? '')) ||
    text.includes('/dev/tcp/')
  const isNamed = [...ownPorts].some((port) => new RegExp(`(?<!\\d)${port}(?!\\d)`).test(text))
  return mayConnect && isNamed ? message : undefined
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
  const text = shell.command.replaceAll(/\$\(\(\s*(\d+)\s*\)\)/g, ' $1 ')
  // In a container our number is small, and any code may hold it.
  const isCode = holdsCode(shell) && /kill|signal|ptrace/i.test(text)
  const reaches = isCode || programs.some((name) => reaching.has(name))
  if (reaches && hasNumber(text, process.pid)) return true
  const ends = programs.some((name) => name === 'kill' || name === 'fuser')
  if (ends && [...ownPorts].some((port) => hasNumber(text, port))) return true
  return shell.commands.some(({ words: [program, ...rest] }) => {
    if (!byName.has(baseName(program ?? ''))) return false
    return rest.some((word) => word !== null && !word.startsWith('-') && isOurName(word))
  })
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
