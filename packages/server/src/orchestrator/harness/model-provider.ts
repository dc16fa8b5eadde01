import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { err, type JsonObject, ok, type Result, unreachable } from '@statewright/core/internal'
import { z } from 'zod'
import type { Variables } from '../children/environment.ts'

const providerNames = ['anthropic', 'openai', 'openai-responses', 'openai-compatible'] as const
export type ProviderName = (typeof providerNames)[number]

/** A model as the AI SDK's providers offer it, below its own loops and retries. */
export type SdkModel = ReturnType<ReturnType<typeof createAnthropic>>

/** What the person gave at the start of a session. */
export const ModelOptions = z.object({
  provider: z.enum(providerNames).optional(),
  model: z.string().min(1).max(200).optional(),
  base_url: z.url({ protocol: /^https?$/ }).optional(),
  max_output_tokens: z.int().min(1).optional(),
  temperature: z.number().min(0).max(2).optional(),
  thinking_level: z.enum(['off', 'low', 'medium', 'high']).optional(),
  system: z.string().max(50_000).optional(),
})
export type ModelOptions = z.infer<typeof ModelOptions>

export interface ChosenModel {
  readonly provider: ProviderName
  readonly modelId: string
  readonly model: SdkModel
}

export function readModelOptions(options: JsonObject): Result<ModelOptions, string> {
  const parsed = ModelOptions.safeParse(options)
  return parsed.success ? ok(parsed.data) : err(z.prettifyError(parsed.error))
}

/** The model of a request: what the state wishes for, else what the session was started with. */
export function chooseModel(
  options: ModelOptions,
  wished: string | null,
  variables: Variables,
): Result<ChosenModel, string> {
  const name = wished ?? options.model
  if (name === undefined) return err('No model was named: add --model or the option "model".')
  const { provider, modelId } = splitName(name, options)
  if (provider === undefined) {
    return err(`The provider of the model "${name}" is not known: set the option "provider".`)
  }
  const baseUrl = options.base_url ?? ownAddress(provider, variables)
  const apiKey = keyFor(provider, baseUrl, variables)
  if (provider === 'openai-compatible') {
    if (baseUrl === undefined) return err('This provider needs the option "base_url".')
    const settings = { name: 'compatible', baseURL: baseUrl, includeUsage: true }
    const made = createOpenAICompatible(apiKey === '' ? settings : { ...settings, apiKey })
    return ok({ provider, modelId, model: made(modelId) })
  }
  if (baseUrl === undefined && apiKey === '') {
    return err(`There is no key for ${provider}: start the server with ${keys[provider]} set.`)
  }
  const settings = baseUrl === undefined ? { apiKey } : { apiKey, baseURL: baseUrl }
  return ok({ provider, modelId, model: modelOf(provider, settings, modelId) })
}

/** Who serves the model of a request, and what it is called there. */
export function servedModel(options: ModelOptions, wished: string | null) {
  const name = wished ?? options.model
  if (name === undefined) return {}
  const { provider, modelId } = splitName(name, options)
  return { provider, name: modelId }
}

function modelOf(
  provider: Exclude<ProviderName, 'openai-compatible'>,
  settings: { readonly apiKey: string; readonly baseURL?: string },
  modelId: string,
): SdkModel {
  switch (provider) {
    case 'anthropic':
      return createAnthropic(settings)(modelId)
    case 'openai':
      return createOpenAI(settings).chat(modelId)
    case 'openai-responses':
      return createOpenAI(settings).responses(modelId)
    default:
      return unreachable(provider)
  }
}

/** `anthropic/claude-…` names both; of a plain name the family tells who serves it. */
function splitName(
  name: string,
  options: ModelOptions,
): { readonly provider: ProviderName | undefined; readonly modelId: string } {
  const slash = name.indexOf('/')
  const prefix = providerNames.find((one) => one === name.slice(0, slash))
  if (prefix !== undefined) return { provider: prefix, modelId: name.slice(slash + 1) }
  if (options.provider !== undefined) return { provider: options.provider, modelId: name }
  if (/^claude/i.test(name)) return { provider: 'anthropic', modelId: name }
  if (/^(?:gpt|o\d|chatgpt)/i.test(name)) return { provider: 'openai', modelId: name }
  return { provider: undefined, modelId: name }
}

const addresses: Readonly<Record<ProviderName, string>> = {
  anthropic: 'ANTHROPIC_BASE_URL',
  openai: 'OPENAI_BASE_URL',
  'openai-responses': 'OPENAI_BASE_URL',
  'openai-compatible': 'OPENAI_COMPATIBLE_BASE_URL',
}
const keys: Readonly<Record<ProviderName, string>> = {
  anthropic: 'ANTHROPIC_API_KEY',
  openai: 'OPENAI_API_KEY',
  'openai-responses': 'OPENAI_API_KEY',
  'openai-compatible': 'OPENAI_COMPATIBLE_API_KEY',
}

/** Anthropic's other tools take the address without the version of the API. */
function ownAddress(provider: ProviderName, variables: Variables): string | undefined {
  const address = variables[addresses[provider]]
  if (address === undefined || address === '') return undefined
  return provider === 'anthropic' && !/\/v\d+\/?$/.test(address) ? `${address}/v1` : address
}

/**
 * The server's key goes to the server's own address and nowhere else: whoever may start a session
 * could otherwise have it sent to themselves.
 */
function keyFor(provider: ProviderName, baseUrl: string | undefined, variables: Variables): string {
  const isOurs = baseUrl === undefined || baseUrl === ownAddress(provider, variables)
  return isOurs ? (variables[keys[provider]] ?? '') : ''
}
