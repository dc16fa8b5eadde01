import type { JsonObject } from '@statewright/core/internal'
import type { PriceTable } from '../../prices/prices.ts'
import type { Variables } from '../children/environment.ts'
import type { Harness, HarnessPart, HarnessSession, TurnRequest } from '../ports.ts'
import { optionsFault } from './harness-options.ts'
import { ModelAnswer } from './model-answer.ts'
import { brokenStream, type ModelFault, modelFault } from './model-fault.ts'
import { promptOf, toolsOf } from './model-prompt.ts'
import {
  type ChosenModel,
  chooseModel,
  ModelOptions,
  readModelOptions,
  servedModel,
} from './model-provider.ts'

export interface ModelSettings {
  /** Where keys and addresses of providers come from. */
  readonly variables: Variables
  readonly prices?: PriceTable
  /** How long nothing may come, before the first word and between two. */
  readonly silenceMs?: number
  readonly now?: () => number
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>
}

/**
 * Asks a model through the AI SDK: one streamed request for each turn. Retries, tools and the
 * conversation are the session's own; nothing of them is left to the library (SE-12).
 */
export function modelHarness(settings: ModelSettings): Harness {
  return {
    name: 'model',
    hasReadiness: false,
    runsOwnTools: false,
    modelOf(options, wished) {
      const read = readModelOptions(options)
      return read.ok ? servedModel(read.value, wished) : {}
    },
    async check({ options }) {
      return optionsFault(ModelOptions, options)
    },
    async start({ options }) {
      const read = readModelOptions(options)
      if (!read.ok) throw new Error(read.error)
      // A wrong name is told at the start and not with the first input.
      if (read.value.model !== undefined) {
        const chosen = chooseModel(read.value, null, settings.variables)
        if (!chosen.ok) throw new Error(chosen.error)
      }
      return session(read.value, settings)
    },
  }
}

function session(options: ModelOptions, settings: ModelSettings): HarnessSession {
  const { now = Date.now, sleep = realSleep } = settings
  let notBefore = 0
  return {
    async send(request, emit, signal) {
      const chosen = chooseModel(options, request.model, settings.variables)
      if (!chosen.ok) return emit(errorPart(refusal(chosen.error)))
      const early = notBefore - now()
      if (early > 0) await sleep(early, signal)
      if (signal.aborted) return
      const fault = await ask(chosen.value, request, options, settings, emit, signal)
      if (fault === undefined || signal.aborted) return
      // The machine's own delay may be shorter than what the provider asks for.
      if (fault.retryable) notBefore = now() + (fault.retryAfterMs ?? 0)
      emit(errorPart(fault))
    },
    stop: async () => 0,
    kill: async () => {},
  }
}

/** Sends one request; answers with what went wrong, if anything. */
async function ask(
  { model, modelId, provider }: ChosenModel,
  request: TurnRequest,
  options: ModelOptions,
  settings: ModelSettings,
  emit: (part: HarnessPart) => void,
  signal: AbortSignal,
): Promise<ModelFault | undefined> {
  const { now = Date.now, prices = {}, silenceMs = request.silenceMs } = settings
  const silence = new Silence(silenceMs)
  const served = { provider, address: options.base_url }
  const answer = new ModelAnswer({ emit, modelId, prices, served })
  const reasoning = reasoningOf(request.thinkingLevel, provider)
  let hasWords = false
  try {
    const { stream } = await model.doStream({
      prompt: promptOf(request, provider),
      tools: toolsOf(request.tools, provider),
      abortSignal: AbortSignal.any([signal, silence.signal]),
      // The conversation is ours: nothing of it is left with the provider, so that thinking comes
      // back to it encrypted instead of by its id.
      ...(provider === 'openai-responses' ? { providerOptions: { openai: { store: false } } } : {}),
      ...(reasoning === undefined ? {} : { reasoning }),
      ...(options.temperature === undefined ? {} : { temperature: options.temperature }),
      ...(options.max_output_tokens === undefined
        ? {}
        : { maxOutputTokens: options.max_output_tokens }),
    })
    for await (const part of stream) {
      silence.broken()
      if (signal.aborted) return undefined
      hasWords ||= part.type !== 'stream-start'
      answer.take(part, now())
      if (answer.end !== undefined) break
      // While we do not read, the provider waits.
      await request.room?.()
    }
    if (answer.end === 'completed') return undefined
    if (answer.end !== undefined && !silence.signal.aborted) return answer.end
  } catch (fault) {
    if (!silence.signal.aborted) return modelFault(fault, now(), served)
  } finally {
    silence.close()
  }
  if (silence.signal.aborted) {
    const message = `The model said nothing for ${silenceMs / 1000} s.`
    return { code: 'model_timeout', message, retryable: true }
  }
  return hasWords ? endedEarly : brokenStream(new Error('an empty answer'), served)
}

const endedEarly: ModelFault = {
  code: 'stream_broken',
  message: 'The connection to the model ended before its answer was complete.',
  retryable: true,
}

/** Aborts when nothing was heard for a while. */
class Silence {
  readonly #abort = new AbortController()
  readonly #ms: number
  #timer: NodeJS.Timeout

  constructor(ms: number) {
    this.#ms = ms
    this.#timer = this.#start()
  }

  get signal(): AbortSignal {
    return this.#abort.signal
  }

  broken(): void {
    clearTimeout(this.#timer)
    this.#timer = this.#start()
  }

  close(): void {
    clearTimeout(this.#timer)
  }

  #start(): NodeJS.Timeout {
    return setTimeout(() => this.#abort.abort(), this.#ms)
  }
}

const levels = { off: 'none', low: 'low', medium: 'medium', high: 'high' } as const

function reasoningOf(level: string | null, provider: ChosenModel['provider']) {
  if (level !== 'off' && level !== 'low' && level !== 'medium' && level !== 'high') return undefined
  // Servers of open models often do not know the field; leaving it out is their "off".
  return level === 'off' && provider === 'openai-compatible' ? undefined : levels[level]
}

function refusal(message: string): ModelFault {
  return { code: 'model_refused', message, retryable: false }
}

function errorPart({ code, message, retryable, retryAfterMs }: ModelFault): HarnessPart {
  const payload: JsonObject = { code, message, retryable }
  return {
    type: 'error',
    payload: retryAfterMs === undefined ? payload : { ...payload, retryAfterMs },
  }
}

function realSleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done, { once: true })
  })
}
