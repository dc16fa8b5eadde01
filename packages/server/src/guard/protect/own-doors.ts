import { isJsonObject, type Phrase, phrase } from '@statewright/core'
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
  const signals = shell.commands.some(({ words }) => {
    return /(?:^|\/)kill$/.test(words[0] ?? '') && words.some((word) => ownPid.test(word ?? ''))
  })
  if (signals) return phrase('ends_us')
  if (/STATEWRIGHT_(?:TOKEN|URL|DATA)\b|\bsw_(?:hook|agent|person)_/.test(text)) return message
  const mayConnect =
    holdsCode(shell) ||
    shell.commands.some(({ words }) => connects(words[0] ?? '')) ||
    text.includes('/dev/tcp/')
  const isNamed = [...ownPorts].some((port) => new RegExp(`(?<!\\d)${port}(?!\\d)`).test(text))
  return mayConnect && isNamed ? message : undefined
}

const ownPid = new RegExp(`^-?${process.pid}$`)

/** Programs that open connections by themselves. */
const connecting: ReadonlySet<string> = new Set(
  (
    'curl wget nc ncat netcat socat telnet http https xh httpie ssh openssl aria2c lynx w3m ' +
    'websocat grpcurl'
  ).split(' '),
)

function connects(program: string): boolean {
  return connecting.has(program.slice(program.lastIndexOf('/') + 1))
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
