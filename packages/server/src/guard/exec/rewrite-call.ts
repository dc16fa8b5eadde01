import { isAbsolute, resolve } from 'node:path'
import {
  isAsItIs,
  isJsonObject,
  type Json,
  judgedTool,
  shellInput,
  toolRef,
} from '@statewright/core/internal'
import type { CallRequest } from '../call-request.ts'
import type { OpenCall } from '../guarded-call.ts'
import type { TicketIssuer } from './tickets.ts'

/** Whether a call could run through our `exec`: a command that can be read, and its folder. */
export function canRewrite(request: CallRequest): boolean {
  const isShell = judgedTool(toolRef(request.tool, request.server)) === 'Bash'
  return isShell && shellInput(request.input) !== undefined && workFolder(request) !== undefined
}

/**
 * The input by which a client runs a judged shell call through our own `exec`, with a ticket for
 * this one call (SH-15). Undefined: it may run as it is.
 */
export function rewriteCall(
  exec: TicketIssuer,
  request: CallRequest,
  open: OpenCall,
  client?: string,
): Json | undefined {
  if (isAsItIs(open.plan)) return undefined
  const shell = shellInput(request.input)
  const cwd = workFolder(request)
  if (shell === undefined || cwd === undefined) return undefined
  const words = exec.issue({
    open,
    callId: open.callId,
    tool: request.tool,
    input: request.input,
    command: shell.command,
    // Never the folder that the call itself names: what is writable is not the agent's to say.
    workspace: open.workspace ?? request.workspace ?? request.cwd ?? '/',
    cwd,
    home: request.home,
    client,
  })
  return withCommand(request.input, shell.field, words)
}

function workFolder({ input, cwd }: CallRequest): string | undefined {
  const named = shellInput(input)?.cwd
  if (named === undefined || isAbsolute(named)) return named ?? cwd
  return cwd === undefined ? undefined : resolve(cwd, named)
}

function withCommand(input: unknown, field: string | null, words: readonly string[]): Json {
  const line = words.map(quoted).join(' ')
  if (field === null || !isJsonObject(input)) return line
  return { ...input, [field]: Array.isArray(input[field]) ? [...words] : line }
}

/** In single quotes, so that no shell reads anything into it. */
function quoted(word: string): string {
  return /^[\w./:@-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
