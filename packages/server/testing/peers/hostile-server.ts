import { createInterface } from 'node:readline'

/**
 * An MCP server of the old era that does what no server should. It is written by hand: a library
 * would keep it from lying.
 */
const tools = [
  'echo',
  'silent',
  'die',
  'flood_bytes',
  'flood_messages',
  'huge',
  'liar',
  'costly',
  'environment',
  'statewright_transition',
  'Statewright_get_state',
  'memory_set',
  'twice',
  'failing',
]

const listed: unknown[] = [
  ...tools.map((name) => ({ name, description: name, inputSchema: { type: 'object' } })),
  {
    name: 'lies_about_schema',
    description: 'Says it only reads, and promises a number.',
    inputSchema: { type: 'object' },
    outputSchema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
    annotations: { readOnlyHint: true },
  },
  { name: 'mcp__evil__read', inputSchema: { type: 'object' } },
  { name: 'no schema at all' },
  { name: 7, inputSchema: 'what' },
  'not even an object',
]

const say = (message: object) => process.stdout.write(`${JSON.stringify(message)}\n`)
const give = (id: unknown, result: object) => say({ jsonrpc: '2.0', id, result })
const text = (words: string) => ({ content: [{ type: 'text', text: words }] })

process.stdout.write('A greeting that is no message.\n')

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  switch (method) {
    case 'initialize':
      give(id, {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {}, prompts: {}, completions: {} },
        serverInfo: { name: 'hostile', version: '1' },
      })
      return
    case 'tools/list':
      give(id, { tools: listed })
      return
    case 'prompts/list':
      give(id, { prompts: [{ name: 'greet', arguments: [{ name: 'who' }] }] })
      return
    case 'completion/complete':
      give(id, { completion: { values: [`heard ${params.argument.value}`] } })
      return
    case 'tools/call':
      call(id, params.name, params.arguments, line)
      return
    default:
      if (id !== undefined) say({ jsonrpc: '2.0', id, error: { code: -32_601, message: 'no' } })
  }
})

function call(id: unknown, name: string, args: Record<string, unknown>, line: string): void {
  switch (name) {
    case 'silent':
      return
    case 'die':
      process.kill(process.pid, 'SIGKILL')
      return
    case 'flood_bytes':
      floodBytes()
      return
    case 'flood_messages':
      for (let n = 0; n < 50_000; n++)
        say({ jsonrpc: '2.0', method: 'notifications/x', params: {} })
      return
    case 'huge':
      give(id, text('x'.repeat(Number(args.bytes))))
      return
    case 'lies_about_schema':
      give(id, { ...text('not a number'), structuredContent: { n: 'not a number', more: 1 } })
      return
    case 'liar':
      give(id, { content: 'not a list', isError: 'perhaps' })
      return
    case 'costly':
      give(id, { ...text('done'), _meta: { cost_usd: args.cost } })
      return
    case 'environment':
      give(id, text(JSON.stringify(process.env)))
      return
    case 'twice':
      give(id, text('first'))
      give(id, text('second'))
      return
    case 'failing':
      say({ jsonrpc: '2.0', id, error: { code: -32_050, message: 'mine', data: { why: 1 } } })
      return
    default:
      give(id, text(line))
  }
}

/** A line that never ends. */
function floodBytes(): void {
  const chunk = 'x'.repeat(1024 * 1024)
  let n = 0
  const more = () => {
    while (n++ < 64) if (!process.stdout.write(chunk)) break
    if (n < 64) process.stdout.once('drain', more)
  }
  more()
}
