import { isJsonObject, type Phrase, phrase } from '@statewright/core'
import { holdsCode } from './named-paths.ts'
import type { ProtectedCall } from './protected-call.ts'

const message = phrase('speaks_to_us')

/** Whether a call would speak to our server past the doors that are meant for it. */
export function reachesUs({ input, call, ownPorts }: ProtectedCall): Phrase | undefined {
  const { shell } = call
  if (shell === undefined) {
    const urls = urlsIn(input, 0)
    return urls.some((url) => isOurs(url, ownPorts)) ? message : undefined
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
  const namesPort = [...ownPorts].some((port) => new RegExp(`(?<!\\d)${port}(?!\\d)`).test(text))
  return mayConnect && namesPort ? message : undefined
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

function urlsIn(value: unknown, depth: number): string[] {
  if (depth > 4) return []
  if (typeof value === 'string') return /^\s*(?:https?|wss?):/i.test(value) ? [value.trim()] : []
  if (Array.isArray(value)) return value.flatMap((item) => urlsIn(item, depth + 1))
  if (!isJsonObject(value)) return []
  return Object.values(value).flatMap((item) => urlsIn(item, depth + 1))
}

/** Any host: a name may lead to this machine as well as its numbers do. */
function isOurs(text: string, ownPorts: ReadonlySet<number>): boolean {
  try {
    return ownPorts.has(Number(new URL(text).port || 80))
  } catch {
    return false
  }
}
