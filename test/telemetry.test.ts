import { mkdirSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  firstLine,
  patience,
  type Ready,
  stopped,
  Testbed,
} from '../packages/server/testing/testbed.ts'
import { followEvents } from './sessions/session-kit.ts'

/** What comes to a collector, over the wire, when one variable names it. */

interface Attribute {
  readonly key: string
  readonly value: Readonly<Record<string, unknown>>
}
interface Named {
  readonly name: string
  readonly attributes?: readonly Attribute[]
  readonly [field: string]: unknown
}

const testbed = new Testbed()
const received = { spans: [] as Named[], metrics: new Map<string, Named>(), service: '' }

const collector = createServer(async (request, response) => {
  take(request.url ?? '', JSON.parse(await textOf(request)))
  response.setHeader('content-type', 'application/json').end('{}')
})

beforeAll(() => new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve)))

afterAll(() => {
  testbed.close()
  collector.close()
})

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += chunk
  return text
}

// The shape of OTLP as JSON, of which we look at the names.
interface Sent {
  resourceSpans?: { resource: Named; scopeSpans: { spans: Named[] }[] }[]
  resourceMetrics?: { scopeMetrics: { metrics: Named[] }[] }[]
}

function take(path: string, { resourceSpans = [], resourceMetrics = [] }: Sent): void {
  expect(path).toBe(resourceSpans.length > 0 ? '/v1/traces' : '/v1/metrics')
  for (const { resource, scopeSpans } of resourceSpans) {
    received.service = String(attributesOf(resource)['service.name'])
    received.spans.push(...scopeSpans.flatMap(({ spans }) => spans))
  }
  for (const metric of resourceMetrics.flatMap(({ scopeMetrics }) =>
    scopeMetrics.flatMap(({ metrics }) => metrics),
  )) {
    received.metrics.set(metric.name, metric)
  }
}

function attributesOf({ attributes = [] }: Pick<Named, 'attributes'>): Record<string, unknown> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [key, Object.values(value)[0] ?? null]),
  )
}

function spanNamed(name: string): Record<string, unknown> {
  const found = received.spans.find((span) => span.name === name)
  if (found === undefined) throw new Error(`no ${name} in ${received.spans.map((one) => one.name)}`)
  return attributesOf(found)
}

test(
  'SE-16: one variable sends traces and metrics to a collector, under the names of gen_ai',
  patience,
  async () => {
    const { port } = collector.address() as AddressInfo
    const data = join(testbed.folder, 'data')
    mkdirSync(data, { mode: 0o700 })
    const child = testbed.start(['up', '--port', '0', '--json', '--test-person', '--data', data], {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}/`,
    })
    const ready: Ready = JSON.parse(await firstLine(child, () => ''))
    const ask = async (path: string, body: object): Promise<Record<string, string>> => {
      const answer = await fetch(`${ready.url}${path}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${ready.person_token}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify(body),
      })
      // Of these answers only texts are read.
      return (await answer.json()) as Record<string, string>
    }
    const usage = { input_tokens: 1200, output_tokens: 30, cost_usd: 0.01, model: 'large-one' }
    const turns = [[{ tool: 'list_files', arguments: {} }, { usage }], [{ text: 'Done.' }]]
    const { sessionId = '' } = await ask('/api/sessions', {
      harness: 'scripted',
      projectPath: testbed.project,
      options: { script: { turns } },
    })
    const from = { url: ready.url, token: ready.person_token ?? '', id: sessionId, after: '0' }
    const untilReady = (times: number) => {
      let left = times
      return followEvents(from, (_event, { type, to }) => {
        if (type === 'state_changed' && to === 'ready') left -= 1
        return left === 0
      })
    }
    await untilReady(1)
    await ask(`/api/sessions/${sessionId}/input`, { text: 'go' })
    await untilReady(2)
    // Stopping sends what was not sent yet.
    await stopped(child, 'SIGTERM')

    expect(received.service).toBe('statewright')
    expect(spanNamed('invoke_agent statewright')).toEqual({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': 'statewright',
      'gen_ai.conversation.id': sessionId,
    })
    expect(spanNamed('chat large-one')).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'script',
      'gen_ai.response.model': 'large-one',
      'gen_ai.usage.input_tokens': 1200,
      'gen_ai.usage.output_tokens': 30,
    })
    expect(spanNamed('execute_tool list_files')).toMatchObject({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'list_files',
      'gen_ai.conversation.id': sessionId,
    })
    expect(spanNamed('judge_tool list_files')).toMatchObject({
      'gen_ai.tool.name': 'list_files',
      'statewright.decision': 'allow',
    })
    expect([...received.metrics.keys()]).toEqual(
      expect.arrayContaining(['agent_state_transitions_total', 'statewright_http_seconds']),
    )
    // Units, bounds and attributes as the conventions for generative AI want them.
    const tokens = histogramNamed('gen_ai.client.token.usage')
    expect([tokens.unit, tokens.bounds]).toEqual(['{token}', powersOfFour])
    const chat = {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'script',
      'gen_ai.response.model': 'large-one',
    }
    expect(tokens.points).toEqual([
      { labels: { ...chat, 'gen_ai.token.type': 'input' }, count: 1, sum: 1200 },
      { labels: { ...chat, 'gen_ai.token.type': 'output' }, count: 1, sum: 30 },
    ])
    const requests = histogramNamed('gen_ai.client.operation.duration')
    expect([requests.unit, requests.bounds]).toEqual(['s', doubledSeconds])
    expect(requests.points).toContainEqual({ labels: chat, count: 1, sum: expect.any(Number) })
    const runs = histogramNamed('gen_ai.execute_tool.duration')
    expect([runs.unit, runs.points]).toEqual([
      's',
      [
        {
          labels: {
            'gen_ai.operation.name': 'execute_tool',
            'gen_ai.tool.name': 'list_files',
          },
          count: 1,
          sum: expect.any(Number),
        },
      ],
    ])
  },
)

const powersOfFour = [1, 4, 16, 64, 256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576].concat([
  4_194_304, 16_777_216, 67_108_864,
])
const doubledSeconds = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24].concat([
  20.48, 40.96, 81.92,
])

// A histogram in OTLP, of which numbers over 32 bits are texts.
interface Histogram {
  readonly dataPoints: readonly {
    readonly attributes: readonly Attribute[]
    readonly count: number | string
    readonly sum: number
    readonly explicitBounds: readonly number[]
  }[]
}

function histogramNamed(name: string) {
  const found = received.metrics.get(name)
  if (found === undefined) throw new Error(`no ${name} in ${[...received.metrics.keys()]}`)
  const { dataPoints } = found.histogram as Histogram // It is sent as one.
  const points = dataPoints.map(({ attributes, count, sum }) => {
    return { labels: attributesOf({ attributes }), count: Number(count), sum }
  })
  return { unit: found.unit, bounds: dataPoints[0]?.explicitBounds, points }
}
