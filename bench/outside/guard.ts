import { readFileSync } from 'node:fs'
import { compile, type Event, type Program, start, step } from '@statewright/core'

/** What the players of the sets ask: every call, then its result where it was let through. */
export interface OutsideGuard {
  readonly call: (asked: OutsideCall) => 'allow' | 'deny' | 'ask'
  readonly result: (ended: OutsideCall & { readonly result: unknown }) => void
  readonly heard: (message: { readonly role: string; readonly text: string }) => void
  /** Why the newest call was not let through, as an agent reads it. */
  readonly reason: () => string
}

export interface OutsideCall {
  readonly tool: string
  readonly args: unknown
}

export interface OutsideRun {
  /** The definition, and the MCP server whose tools the set plays. */
  readonly file: URL
  readonly server: string
  readonly task?: string | undefined
  /** What the clock of the set says; real time has nothing to do with it. */
  readonly at: number
}

const person = { kind: 'person', id: 'user' } as const
const programs = new Map<string, Program>()

function programOf(file: URL): Program {
  const known = programs.get(file.href)
  if (known !== undefined) return known
  const compiled = compile(readFileSync(file, 'utf8'))
  if (!compiled.ok) {
    const faults = compiled.error.map(({ path, message }) => `${path}: ${message}`)
    throw new Error(`${file.pathname} does not compile:\n${faults.join('\n')}`)
  }
  programs.set(file.href, compiled.value)
  return compiled.value
}

/** A run of the definition, played through the library as a program with tools of its own would. */
export function guardOf({ file, server, task, at: begun }: OutsideRun): OutsideGuard {
  const program = programOf(file)
  let at = begun
  let calls = 0
  let newest = ''
  let reason = ''
  const asked = task === undefined ? {} : { task }
  let { snapshot } = start(program, { at, by: person, ...asked })
  const send = (event: Event) => {
    const made = step(program, snapshot, event)
    snapshot = made.snapshot
    return made
  }
  return {
    call: ({ tool, args }) => {
      calls += 1
      newest = `c${calls}`
      const call = { id: newest, tool: `mcp__${server}__${tool}`, input: args }
      const { answer } = send({ type: 'tool_requested', at: ++at, call })
      if (answer.type !== 'decided') throw new Error(`bug: ${tool} got no decision`)
      reason = answer.decision.kind === 'allow' ? '' : (answer.decision.message ?? '')
      return answer.decision.kind
    },
    result: ({ result }) => {
      const failed = typeof result === 'string' && /^\w*Error\b/.test(result)
      const exit = failed ? 'failure' : 'success'
      // Players read it from JSON.
      const read = typeof result === 'string' ? { text: result } : { structured: result as never }
      send({ type: 'tool_finished', at: ++at, callId: newest, exit, result: read })
    },
    heard: ({ role, text }) => {
      if (role === 'user') send({ type: 'task_given', at: ++at, by: person, text })
    },
    reason: () => reason,
  }
}
