import {
  capabilityOf,
  judgedTool,
  lowerAscii,
  mcpPrefix,
  toolAliases,
  toolRef,
  withColons,
} from '../call/tool-names.ts'

/** A capability pattern as rules compare it (PO-3). */
export interface CapabilityPattern {
  /** The capability itself, or how one has to begin. */
  readonly text: string
  readonly isPrefix: boolean
  /** It has a star in its midst. It then restricts all that begins so, and permits nothing. */
  readonly isBroken: boolean
}

/**
 * Reads a pattern in the spelling of capabilities, so that `Bash`, `shell` and `bash` are one, as
 * are `mcp__fs__*`, `fs__*`, `mcp.fs.*` and `mcp:fs:*`.
 */
export function compileCapability(written: string): CapabilityPattern {
  const star = written.indexOf('*')
  if (star < 0) return { text: exactPath(written), isPrefix: false, isBroken: false }
  const text = prefixPath(written.slice(0, star))
  return { text, isPrefix: true, isBroken: star < written.length - 1 }
}

/**
 * A request to a model as policies name it, `model:anthropic:claude-opus-5`: who serves it, and
 * what it is called there (PO-9).
 */
export function modelCapability(provider: string, name: string): string {
  return withColons(lowerAscii(`${modelHead}:${provider}:${name}`))
}

/** Whether a pattern speaks of models alone; one that is wider speaks of tools. */
export function namesModels({ text }: CapabilityPattern): boolean {
  return text.startsWith(`${modelHead}:`)
}

const modelHead = 'model'

export function matchesCapability(pattern: CapabilityPattern, capability: string): boolean {
  return pattern.isPrefix ? capability.startsWith(pattern.text) : capability === pattern.text
}

/** Why a pattern would not do what it seems to say, or undefined. */
export function capabilityFault(written: string): string | undefined {
  const { text, isPrefix, isBroken } = compileCapability(written)
  if (isBroken) return 'a star may only stand at the end'
  const segments = text.split(':')
  const [first = ''] = segments
  if (first === modelHead && segments.length > 1) return modelFault(segments, isPrefix)
  // The last part of a prefix may be empty: the star stands for it.
  if (segments.slice(0, isPrefix ? -1 : undefined).includes('')) return 'one of its parts is empty'
  if (segments.length > 1 && first !== 'mcp') {
    return judgedTool({ tool: first }) !== undefined
      ? `"${first}" has no parts; write "${first}"`
      : 'tools of a server are written "mcp:server:tool"'
  }
  const [head = ''] = written.split('.')
  if (first === 'mcp' && head !== written && ownCapabilities.has(lowerAscii(head))) {
    return `"${head}" has no parts; write "${head}", or "mcp:${head}:*" for a server`
  }
  if (!isPrefix && first === 'mcp' && segments.length < 3) {
    return `it names no tool; write "${text}:*" for all below it`
  }
  return undefined
}

function modelFault(segments: readonly string[], isPrefix: boolean): string | undefined {
  const whole = isPrefix ? segments.slice(0, -1) : segments
  if (whole.includes('')) return 'one of its parts is empty'
  if (isPrefix || segments.length > 2) return undefined
  return 'a model is written "model:provider:name"; write "model:*" for all'
}

/** What policies call the tools that every client has. */
const ownCapabilities: ReadonlySet<string> = new Set(Object.keys(toolAliases).map(lowerAscii))

function exactPath(written: string): string {
  return mcpPath(written) ?? listedPath(written) ?? capabilityOf(toolRef(written))
}

/** A tool behind our gateway by its whole name, `server__tool` (WF-6c). */
function listedPath(written: string): string | undefined {
  const match = /^([^_:.](?:(?!__)[^:.])*)__(.*)$/s.exec(written)
  if (match === null || written.startsWith(mcpPrefix)) return undefined
  return withColons(`mcp:${match[1]}:${match[2]}`)
}

function prefixPath(written: string): string {
  const path = mcpPath(written) ?? listedPath(written)
  if (path !== undefined) return path
  if (written.startsWith(mcpPrefix)) {
    return withColons(`mcp:${written.slice(mcpPrefix.length).replace('__', ':')}`)
  }
  const dot = written.indexOf('.')
  return dot > 0 ? withColons(`mcp:${written}`) : lowerAscii(written)
}

/** A path that is already spelled as a capability; the names of server and tool keep their case. */
function mcpPath(written: string): string | undefined {
  const match = /^([^:.]*)[:.](.*)$/s.exec(written)
  if (match === null) return undefined
  const first = lowerAscii(match[1] ?? '')
  if (first === 'mcp') return withColons(`mcp:${match[2]}`)
  return written.includes(':') ? withColons(lowerAscii(written)) : undefined
}
