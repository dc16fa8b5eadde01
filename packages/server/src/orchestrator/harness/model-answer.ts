import type { Json } from '@statewright/core/internal'
import { costOfUsage, type PriceTable } from '../../prices/prices.ts'
import type { HarnessPart } from '../ports.ts'
import { brokenStream, type ModelFault, modelFault, type ServedBy } from './model-fault.ts'
import type { MetaValue, StoredPart } from './model-prompt.ts'
import type { SdkModel } from './model-provider.ts'

type Streamed = Awaited<ReturnType<SdkModel['doStream']>>['stream']
export type SdkPart = Streamed extends ReadableStream<infer Part> ? Part : never
type Finish = Extract<SdkPart, { type: 'finish' }>

/** Turns the parts of one answer into pieces of our stream, and keeps what must come back. */
export class ModelAnswer {
  readonly #stored: StoredPart[] = []
  readonly #open = new Map<string, number>()
  readonly #emit: (part: HarnessPart) => void
  readonly #modelId: string
  readonly #prices: PriceTable
  readonly #served: ServedBy
  /** How it ended; undefined while it goes on. */
  end: 'completed' | ModelFault | undefined

  constructor(options: {
    readonly emit: (part: HarnessPart) => void
    readonly modelId: string
    readonly prices: PriceTable
    readonly served: ServedBy
  }) {
    this.#emit = options.emit
    this.#modelId = options.modelId
    this.#prices = options.prices
    this.#served = options.served
  }

  take(part: SdkPart, now: number): void {
    switch (part.type) {
      case 'text-start':
      case 'reasoning-start':
        this.#open.set(part.id, this.#stored.length)
        this.#stored.push({ type: part.type === 'text-start' ? 'text' : 'reasoning', text: '' })
        this.#note(part)
        break
      case 'text-delta':
      case 'reasoning-delta': {
        const type = part.type === 'text-delta' ? 'text_delta' : 'thinking_delta'
        this.#addText(part.id, part.delta)
        this.#note(part)
        if (part.delta !== '') this.#emit({ type, payload: { text: part.delta } })
        break
      }
      case 'text-end':
      case 'reasoning-end':
        this.#note(part)
        break
      case 'tool-input-start':
        this.#emit({ type: 'tool_call_delta', payload: { callId: part.id, name: part.toolName } })
        break
      case 'tool-input-delta':
        this.#emit({ type: 'tool_call_delta', payload: { callId: part.id, text: part.delta } })
        break
      case 'tool-call': {
        const { toolCallId: callId, toolName: name } = part
        const input = argumentsOf(part.input)
        this.#stored.push({ type: 'tool-call', toolCallId: callId, toolName: name, input })
        this.#noteAt(this.#stored.length - 1, part.providerMetadata)
        this.#emit({ type: 'tool_call_completed', payload: { callId, name, arguments: input } })
        break
      }
      case 'error':
        this.end = modelFault(part.error, now, this.#served)
        break
      case 'finish':
        this.end ??= this.#finish(part)
        break
      // Sources, files and whatever a provider runs by itself are not asked for.
      default:
        break
    }
  }

  #finish({ finishReason, usage }: Finish): 'completed' | ModelFault {
    const { unified } = finishReason
    if (unified === 'interrupted' || unified === 'error') {
      return brokenStream(finishReason.raw, this.#served)
    }
    const used = {
      input: usage.inputTokens.noCache ?? usage.inputTokens.total ?? 0,
      output: usage.outputTokens.total ?? 0,
      cacheRead: usage.inputTokens.cacheRead ?? 0,
      cacheWrite: usage.inputTokens.cacheWrite ?? 0,
    }
    const cost = costOfUsage(this.#modelId, used, this.#prices)
    const inputTokens = used.input + used.cacheRead + used.cacheWrite
    const raw = this.#whatMustComeBack()
    this.#emit({
      type: 'completed',
      payload: {
        finishReason: unified,
        model: this.#modelId,
        inputTokens,
        outputTokens: used.output,
        ...(cost.ok ? { costUsd: cost.value / 1_000_000 } : { costUnknown: cost.error.message }),
        ...(raw === undefined ? {} : { raw }),
      },
    })
    return 'completed'
  }

  /** Only where the plain text and calls would not do: it is stored with every message. */
  #whatMustComeBack(): Json | undefined {
    const isSpecial = this.#stored.some((part) => part.type === 'reasoning' || part.providerOptions)
    if (!isSpecial) return undefined
    const parts = this.#stored.filter((part) => part.type !== 'text' || part.text !== '')
    return JSON.parse(JSON.stringify(parts))
  }

  #addText(id: string, text: string): void {
    const at = this.#open.get(id)
    const part = at === undefined ? undefined : this.#stored[at]
    if (at === undefined || part === undefined || part.type === 'tool-call') return
    this.#stored[at] = { ...part, text: part.text + text }
  }

  #note(part: { readonly id: string; readonly providerMetadata?: object | undefined }): void {
    const at = this.#open.get(part.id)
    if (at !== undefined) this.#noteAt(at, part.providerMetadata)
  }

  #noteAt(at: number, metadata: object | undefined): void {
    const part = this.#stored[at]
    if (metadata === undefined || part === undefined) return
    const more: Record<string, Record<string, MetaValue>> = JSON.parse(JSON.stringify(metadata))
    this.#stored[at] = { ...part, providerOptions: { ...part.providerOptions, ...more } }
  }
}

/** A text that is no JSON stays a text: the tool tells the model what is wrong with it. */
function argumentsOf(text: string): Json {
  if (text.trim() === '') return {}
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
