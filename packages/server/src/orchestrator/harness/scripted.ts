import { setTimeout as wait } from 'node:timers/promises'
import { err, type JsonObject, type Result } from '@statewright/core/internal'
import { z } from 'zod'
import { readText } from '../../tools/workspace/files.ts'
import { openWorkspace } from '../../tools/workspace/workspace.ts'
import type { Harness, HarnessContext, HarnessPart, HarnessSession } from '../ports.ts'
import { optionsFault } from './harness-options.ts'
import { checkScript, partsFor, readScript, type Script, type ScriptPart } from './script.ts'

const ScriptedOptions = z.object({ script: z.json().optional(), model: z.string().optional() })

/** Waits, or ends early when the signal says so. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>

const realSleep: Sleep = (ms, signal) => wait(ms, undefined, { signal }).catch(() => {})

/**
 * Plays a script instead of asking a model: for demonstrations and tests. Which turn comes is read
 * from the conversation, so that a session goes on at the same place after a restart.
 */
export function scriptedHarness(sleep: Sleep = realSleep): Harness {
  return {
    name: 'scripted',
    provider: 'script',
    hasReadiness: false,
    runsOwnTools: false,
    async check(request) {
      const unknown = optionsFault(ScriptedOptions, request.options)
      if (unknown !== undefined) return unknown
      const script = await scriptOf(request)
      return script.ok ? undefined : script.error
    },
    async start(context) {
      const script = await scriptOf(context)
      if (!script.ok) throw new Error(script.error)
      return session(script.value, context, sleep)
    },
  }
}

function session(script: Script, context: HarnessContext, sleep: Sleep): HarnessSession {
  return {
    async send(request, emit, signal) {
      const { answers: turn, attempt } = request
      const summary = [{ text: `A script, after ${turn} answers.` }]
      const parts = request.isSummary ? summary : partsFor(script, { turn, attempt })
      let usage: HarnessPart['payload'] = {}
      for (const [index, part] of parts.entries()) {
        if (signal.aborted) return
        if ('delay_ms' in part) await sleep(part.delay_ms, signal)
        else if ('usage' in part) usage = { ...usage, ...usageOf(part.usage) }
        else if ('exit' in part) return context.exited(part.exit)
        else {
          const piece = pieceOf(part, `${request.streamId}_${index}`)
          emit(piece)
          if (piece.type === 'error') return
          await request.room?.()
        }
      }
      if (!signal.aborted) emit({ type: 'completed', payload: { finishReason: 'stop', ...usage } })
    },
    stop: async () => 0,
    kill: async () => {},
  }
}

type Spoken = Exclude<ScriptPart, { delay_ms: number } | { usage: object } | { exit: number }>

function pieceOf(part: Spoken, callId: string): HarnessPart {
  if ('text' in part) return { type: 'text_delta', payload: { text: part.text } }
  if ('thinking' in part) return { type: 'thinking_delta', payload: { text: part.thinking } }
  if ('status' in part) return { type: 'status', payload: { message: part.status } }
  if ('tool' in part) {
    const { tool: name, arguments: args } = part
    const payload = { callId: part.call_id ?? callId, name, arguments: args }
    return { type: 'tool_call_completed', payload }
  }
  const { code, message, retryable } = part.error
  const payload = retryable === undefined ? { code, message } : { code, message, retryable }
  return { type: 'error', payload }
}

function usageOf(usage: Extract<ScriptPart, { usage: object }>['usage']): JsonObject {
  const { input_tokens, output_tokens, cost_usd, model } = usage
  return {
    ...(input_tokens === undefined ? {} : { inputTokens: input_tokens }),
    ...(output_tokens === undefined ? {} : { outputTokens: output_tokens }),
    ...(cost_usd === undefined ? {} : { costUsd: cost_usd }),
    ...(model === undefined ? {} : { model }),
  }
}

/** A person named it, and the model is not shown it. */
const ownFile = { hides: () => false, fixes: () => true }

/** The script itself, or the path of one in the project: a session reads no files elsewhere. */
async function scriptOf({
  options,
  projectPath,
}: Pick<HarnessContext, 'options' | 'projectPath'>): Promise<Result<Script, string>> {
  const given = Object.hasOwn(options, 'script') ? options.script : undefined
  if (given === undefined) return err('The scripted harness needs the option "script".')
  if (typeof given !== 'string') return checkScript(given)
  const workspace = openWorkspace(projectPath, ownFile)
  if (!workspace.ok) return err(workspace.error.message)
  const text = await readText(workspace.value, given)
  return text.ok ? readScript(text.value) : err(text.error.message)
}
