import type { Code, Problem } from '@statewright/core'

/** What kept an upstream server from answering; everything else it says is passed on. */
export class UpstreamFault extends Error {
  readonly code: Code
  readonly next: string
  /** Whether the call may have been carried out all the same. */
  readonly mayHaveRun: boolean

  constructor(code: Code, message: string, more: { next: string; mayHaveRun: boolean }) {
    super(message)
    this.code = code
    this.next = more.next
    this.mayHaveRun = more.mayHaveRun
  }

  toProblem(): Problem {
    return { code: this.code, message: this.message, next: this.next }
  }
}

export function unavailable(name: string, why: string): UpstreamFault {
  return new UpstreamFault(
    'upstream_unavailable',
    `The MCP server ${name} cannot be used: ${why}.`,
    {
      next: 'try again later, or ask a person to look at the server.',
      mayHaveRun: false,
    },
  )
}

export function lost(name: string, why: string): UpstreamFault {
  return new UpstreamFault('upstream_failed', `The MCP server ${name} gave no answer: ${why}.`, {
    next: 'see whether the call took effect before repeating it.',
    mayHaveRun: true,
  })
}

export function tooSlow(name: string, timeoutMs: number): UpstreamFault {
  const message = `The MCP server ${name} did not answer within ${Math.round(timeoutMs / 1000)} s.`
  return new UpstreamFault('upstream_timeout', message, {
    next: 'see whether the call took effect before repeating it.',
    mayHaveRun: true,
  })
}

export function tooBusy(name: string): UpstreamFault {
  return new UpstreamFault('too_many_requests', `Too many calls to ${name} are under way.`, {
    next: 'wait for one of them to end.',
    mayHaveRun: false,
  })
}

/** A server refused a request in the words of the protocol; it is passed on as it was said. */
export class UpstreamRefusal extends Error {
  readonly rpcCode: number
  readonly data: unknown

  constructor(rpcCode: number, message: string, data: unknown) {
    super(message)
    this.rpcCode = rpcCode
    this.data = data
  }
}
