import { isJsonObject } from '@statewright/core'
import type { ProtectedCall } from './self-protection.ts'

const message =
  'The call would speak to Statewright itself; its own tools are the only door for an agent.'

/** Whether a call would speak to our server past the doors that are meant for it. */
export function reachesUs({ input, call, ownPorts }: ProtectedCall): string | undefined {
  const { shell } = call
  if (shell === undefined) {
    const urls = urlsIn(input, 0)
    return urls.some((url) => isOurs(url, ownPorts)) ? message : undefined
  }
  const text = shell.command
  if (/STATEWRIGHT_(?:TOKEN|URL|DATA)\b|\bsw_(?:hook|agent|person)_/.test(text)) return message
  const mayConnect =
    shell.code.length > 0 ||
    shell.commands.some(({ words }) => connects.test(words[0] ?? '')) ||
    text.includes('/dev/tcp/')
  const namesPort = [...ownPorts].some((port) => new RegExp(`(?<!\\d)${port}(?!\\d)`).test(text))
  return mayConnect && namesPort ? message : undefined
}

const connects =
  /(?:^|\/)(?:curl|wget|nc|ncat|netcat|socat|telnet|https?|xh|httpie|ssh|openssl|aria2c|lynx|w3m|websocat|grpcurl)$/

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
