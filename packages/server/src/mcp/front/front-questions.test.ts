import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FrontWorld, openFrontWorld } from '../../../testing/gateway.ts'
import { asResponse } from '../../../testing/mcp-clients.ts'
import { newAgent } from '../../../testing/mcp-server.ts'
import { askingServer, type Era, type Way } from '../../../testing/peers/asking-server.ts'
import { ann, save, start } from '../../../testing/runtime.ts'
import { resolveApproval } from '../../runtime/runs/approvals.ts'
import type { RuntimeSettings } from '../../runtime/settings.ts'
import type { UpstreamSpec } from '../../upstream/spec.ts'
import { refusalMetaKey } from './results.ts'

const methods = { sampling: 'sampling/createMessage', elicitation: 'elicitation/create' } as const
const kinds = ['sampling', 'elicitation'] as const

const open = {
  id: 'open',
  initial: 'working',
  states: { working: { on: { DONE: 'done' } }, done: { type: 'final' } },
}
const narrow = {
  ...open,
  id: 'narrow',
  states: {
    working: { allowed_tools: ['mcp__asker__ask', 'mcp__asker__demand_url'], on: { DONE: 'done' } },
    done: { type: 'final' },
  },
}

const careful = {
  ...open,
  id: 'careful',
  policy: {
    default: 'allow',
    ask: [{ capability: 'mcp:asker:sampling' }, { capability: 'mcp:asker:elicitation' }],
  },
}

/** A world with one server behind it, and a client that answers whatever it is asked. */
class Asker {
  readonly world: FrontWorld
  readonly #closeServer: () => Promise<void>
  readonly #clients: Client[] = []

  private constructor(world: FrontWorld, closeServer: () => Promise<void>) {
    this.world = world
    this.#closeServer = closeServer
  }

  static async open(
    era: Era,
    way: Way,
    allowed: Partial<UpstreamSpec> = {},
    runtime: Partial<RuntimeSettings> = {},
  ): Promise<Asker> {
    const server = await askingServer(era, way)
    const asker: UpstreamSpec = { ...server.spec, ...allowed }
    const world = await openFrontWorld({ upstreams: { asker } }, runtime)
    await save(world.runtime, open)
    await save(world.runtime, narrow)
    await save(world.runtime, careful)
    return new Asker(world, server.close)
  }

  async client(clientEra: 'auto' | 'legacy', workflow = 'open') {
    const caller = newAgent()
    const run = await start(this.world.runtime, caller, { workflow })
    const put: { method: string; message: unknown }[] = []
    const capabilities = { sampling: {}, elicitation: { form: {}, url: {} } }
    const client = new Client(
      { name: 'test', version: '1' },
      { versionNegotiation: { mode: clientEra }, capabilities },
    )
    client.setRequestHandler('sampling/createMessage', ({ method }) => {
      put.push({ method, message: null })
      const content = { type: 'text' as const, text: 'words of the model' }
      return { role: 'assistant' as const, model: 'm', content }
    })
    client.setRequestHandler('elicitation/create', ({ method, params }) => {
      put.push({ method, message: params.message })
      return { action: 'accept' as const, content: { pin: 'words of the person' } }
    })
    await client.connect(
      new StreamableHTTPClientTransport(new URL('http://127.0.0.1:1/mcp'), {
        fetch: async (url, init) =>
          asResponse(await this.world.gateway.mcp.answer(new Request(url, init), caller)),
      }),
    )
    this.#clients.push(client)
    return {
      put,
      /** What a call gave: its text, or what refused it. */
      call: async (name: string, args = {}) => {
        try {
          const { content, _meta } = await client.callTool({ name, arguments: args })
          const [first] = content
          const refusal = _meta?.[refusalMetaKey]
          return refusal === undefined && first?.type === 'text' ? first.text : refusal
        } catch (fault) {
          return fault
        }
      },
      /** The decisions of the run, as its history has them. */
      decisions: async () => {
        const entries = await this.world.runtime.store.runs.entries(run, { after: 1, limit: 50 })
        return entries.flatMap(({ entry }) =>
          entry.type === 'call_decided'
            ? [`${entry.tool} ${entry.decision} ${entry.code ?? ''}`.trim()]
            : [],
        )
      },
    }
  }

  async close() {
    for (const client of this.#clients) await client.close()
    await this.world.close()
    await this.#closeServer()
  }
}

const servers = [
  ['old', 'stdio'],
  ['old', 'http'],
  ['new', 'stdio'],
  ['new', 'http'],
] as const satisfies readonly (readonly [Era, Way])[]

describe.each(servers)('SH-18d: a server of the %s era over %s', (era, way) => {
  let closed: Asker
  let allowed: Asker
  beforeAll(async () => {
    closed = await Asker.open(era, way)
    allowed = await Asker.open(era, way, { sampling: 'allow', elicitation: 'allow' })
  }, 60_000)
  afterAll(async () => {
    await closed.close()
    await allowed.close()
  })

  const modes = ['auto', 'legacy'] as const
  const request = kinds.flatMap((kind) => modes.map((mode) => [kind, mode] as const))

  test.each(modes)('hears of neither unless allowed (%s)', async (mode) => {
    const shut = JSON.parse(String(await (await closed.client(mode)).call('can')))
    expect(shut).not.toHaveProperty('sampling')
    expect(shut).not.toHaveProperty('elicitation')
    const free = JSON.parse(String(await (await allowed.client(mode)).call('can')))
    expect(free).toHaveProperty('sampling')
    expect(free).toHaveProperty('elicitation')
  })

  test.each(request)('%s reaches nobody unless allowed (%s)', async (kind, mode) => {
    const { call, put, decisions } = await closed.client(mode)
    const given = JSON.stringify(await call('ask', { method: methods[kind] }))
    expect(given).toContain(`upstreams.asker.${kind}`)
    expect(given).not.toContain('words of')
    expect(put).toEqual([])
    expect(await decisions()).toEqual(['ask allow', `${kind} deny question_refused`])
  })

  // A client of the new era cannot be asked in the middle of a call of an old server.
  const askable = request.filter(([, mode]) => era === 'new' || mode === 'legacy')

  test.each(askable)('%s passes where allowed, judged and recorded (%s)', async (kind, mode) => {
    const { call, put, decisions } = await allowed.client(mode)
    expect(await call('ask', { method: methods[kind] })).toContain('words of the')
    expect(put.map(({ method }) => method)).toEqual([methods[kind]])
    expect((await decisions()).slice(0, 2)).toEqual(['ask allow', `${kind} allow`])
  })

  test.each(askable)('%s is refused where the state does not list it (%s)', async (kind, mode) => {
    const { call, put, decisions } = await allowed.client(mode, 'narrow')
    const given = JSON.stringify(await call('ask', { method: methods[kind] }))
    expect(given).toContain('tool_not_allowed')
    expect(put).toEqual([])
    expect(await decisions()).toEqual(['ask allow', `${kind} deny tool_not_allowed`])
  })

  test('a person is told who asks', async () => {
    const { call, put } = await allowed.client('legacy')
    await call('ask', { method: methods.elicitation })
    expect(put[0]?.message).toMatch(/^asker asks \(not Statewright\): Your PIN/)
  })

  test('an address to be opened is such a question too', async () => {
    const shut = await closed.client('legacy')
    expect(JSON.stringify(await shut.call('demand_url'))).not.toContain('http://evil')
    expect(await shut.decisions()).toEqual([
      'demand_url allow',
      'elicitation deny question_refused',
    ])
    const unlisted = await allowed.client('legacy', 'narrow')
    expect(JSON.stringify(await unlisted.call('demand_url'))).not.toContain('http://evil')
  })
})

describe('SH-18d: outside of a call', () => {
  const both = { sampling: 'allow', elicitation: 'allow' } as const

  /** What the server was answered in the end. */
  async function heardBy(asker: Asker): Promise<string> {
    let heard = ''
    const ask = async () => {
      const server = asker.world.gateway.upstreams.find('asker')
      const result = await server?.request('tools/call', { name: 'heard', arguments: {} })
      heard = JSON.stringify(result?.content)
      return heard
    }
    await expect.poll(ask, { timeout: 20_000 }).toContain('question-0')
    return heard
  }

  test.each(kinds)('%s is refused, also where it is allowed', { timeout: 40_000 }, async (kind) => {
    const asker = await Asker.open('old', 'stdio', both)
    try {
      const { call, put, decisions } = await asker.client('legacy')
      await call('ask_later', { method: methods[kind] })
      expect(await heardBy(asker)).toContain('error')
      expect(put).toEqual([])
      expect(await decisions()).toEqual(['ask_later allow'])
    } finally {
      await asker.close()
    }
  })

  test.each(kinds)('%s is late when a person has allowed it', { timeout: 40_000 }, async (kind) => {
    const asker = await Asker.open('old', 'stdio', both)
    try {
      const { runtime } = asker.world
      const { call, put } = await asker.client('legacy', 'careful')
      // It asks, and answers the call while the person is thinking.
      expect(await call('ask_and_go', { method: methods[kind] })).toBe('"done"')
      const waiting = () => runtime.store.approvals.list({ status: 'waiting', limit: 1 })
      await expect.poll(async () => (await waiting()).length, { timeout: 20_000 }).toBe(1)
      const approvalId = (await waiting())[0]?.approvalId ?? ''
      await resolveApproval(runtime, ann, { approvalId, verdict: 'approve' })
      expect(await heardBy(asker)).toContain('has ended')
      expect(put).toEqual([])
    } finally {
      await asker.close()
    }
  })
})

test('SH-18d: what the configuration refuses is refused in observe mode as well', async () => {
  const asker = await Asker.open('old', 'stdio', {}, { mode: 'observe' })
  try {
    const { call, put, decisions } = await asker.client('legacy')
    await call('ask', { method: methods.sampling })
    expect(put).toEqual([])
    expect(await decisions()).toContain('sampling deny question_refused')
  } finally {
    await asker.close()
  }
}, 40_000)
