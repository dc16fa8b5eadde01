import { SdkError, SdkErrorCode } from '@modelcontextprotocol/client'
import type { Code, Problem } from '@statewright/core/internal'
import { isStdio, type UpstreamSpec, upstreamLimits } from './spec.ts'

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
    next: 'check whether the call took effect before repeating it.',
    mayHaveRun: true,
  })
}

export function tooSlow(name: string, timeoutMs: number): UpstreamFault {
  const message = `The MCP server ${name} did not answer within ${Math.round(timeoutMs / 1000)} s.`
  return new UpstreamFault('upstream_timeout', message, {
    next: 'check whether the call took effect before repeating it.',
    mayHaveRun: true,
  })
}

export function tooBusy(name: string): UpstreamFault {
  return new UpstreamFault('too_many_requests', `Too many calls to ${name} are running.`, {
    next: 'wait for one of them to end.',
    mayHaveRun: false,
  })
}

/** A program whose files are not those that a person accepted. */
export class UnacceptedProgram extends Error {
  constructor(files: readonly string[]) {
    super(
      `waiting for acceptance: ${files.join(', ')} changed since a person accepted the program; ` +
        'they accept it with "statewright config accept"',
    )
  }
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

/** What went wrong at the bottom of it, and the last words of a child, for a person who looks. */
export function whyNotConnected(spec: UpstreamSpec, fault: unknown, errorText: string): string {
  const output = errorText.trim().split('\n').slice(-3).join(' ')
  const more = output === '' ? '' : ` (it said: ${output.slice(0, 300)})`
  return (isStdio(spec) ? whyChild(spec.command, fault) : reasonOf(fault)) + more
}

function whyChild(command: string, fault: unknown): string {
  if (isNotFound(fault)) return `there is no command ${command} on the PATH of the server`
  if (!(fault instanceof SdkError)) return reasonOf(fault)
  if (fault.code === SdkErrorCode.ConnectionClosed) return `${command} has ended`
  if (fault.code !== SdkErrorCode.RequestTimeout) return reasonOf(fault)
  return `${command} has not answered within ${upstreamLimits.connectMs / 1000} s`
}

function isNotFound(fault: unknown): boolean {
  return fault instanceof Error && 'code' in fault && fault.code === 'ENOENT'
}

/** The protocol's library wraps what the network said. */
function reasonOf(fault: unknown): string {
  const { data } = fault instanceof SdkError ? fault : { data: undefined }
  const hasCause = typeof data === 'object' && data !== null && 'cause' in data
  const inner = hasCause && data.cause instanceof Error ? data.cause : fault
  const text = inner instanceof Error ? inner.message : String(inner)
  return text.replaceAll(/\s+/g, ' ').replace(/\.$/, '').slice(0, 300)
}
