import { metrics } from '@opentelemetry/api'
import { payloadNumber, payloadText, type StreamEvent } from '@statewright/core/internal'

/**
 * Names of OpenTelemetry's conventions for generative AI, in one place: they are not final there,
 * and dashboards of others look for them.
 */
export const genAi = {
  operation: 'gen_ai.operation.name',
  provider: 'gen_ai.provider.name',
  conversation: 'gen_ai.conversation.id',
  agent: 'gen_ai.agent.name',
  responseModel: 'gen_ai.response.model',
  inputTokens: 'gen_ai.usage.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
  tool: 'gen_ai.tool.name',
  call: 'gen_ai.tool.call.id',
  tokenType: 'gen_ai.token.type',
} as const

/** What an answer took, as far as its provider says. */
export interface Usage {
  readonly provider: string
  readonly model: string
  readonly input: number
  readonly output: number
}

export function usageOf(event: StreamEvent): Usage {
  return {
    provider: event.provider ?? event.harness,
    model: payloadText(event, 'model'),
    input: payloadNumber(event, 'inputTokens'),
    output: payloadNumber(event, 'outputTokens'),
  }
}

const meterOf = () => metrics.getMeter('statewright')

/** Made again for each record: a provider may be set after this file was loaded. */
export function recordUsage({ provider, model, input, output }: Usage): void {
  const histogram = meterOf().createHistogram('gen_ai.client.token.usage', {
    unit: '{token}',
    description: 'Tokens of model requests.',
    advice: { explicitBucketBoundaries: powersOfFour },
  })
  const labels = {
    [genAi.operation]: 'chat',
    [genAi.provider]: provider,
    ...(model === '' ? {} : { [genAi.responseModel]: model }),
  }
  if (input > 0) histogram.record(input, { ...labels, [genAi.tokenType]: 'input' })
  if (output > 0) histogram.record(output, { ...labels, [genAi.tokenType]: 'output' })
}

export function recordDuration(
  operation: 'chat' | 'execute_tool',
  labels: Readonly<Record<string, string>>,
  ms: number,
): void {
  const name =
    operation === 'chat' ? 'gen_ai.client.operation.duration' : 'gen_ai.execute_tool.duration'
  const histogram = meterOf().createHistogram(name, {
    unit: 's',
    description: operation === 'chat' ? 'Time of model requests.' : 'Time of tool calls.',
    advice: { explicitBucketBoundaries: doubledSeconds },
  })
  histogram.record(ms / 1000, { [genAi.operation]: operation, ...labels })
}

const powersOfFour = Array.from({ length: 14 }, (_, power) => 4 ** power)
const doubledSeconds = Array.from({ length: 14 }, (_, power) => 0.01 * 2 ** power)
