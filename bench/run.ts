import { benchConditions } from './conditions.ts'
import { benchDashboard } from './dashboard.ts'
import { benchDecision } from './decision.ts'
import { benchDurable } from './durable.ts'
import { benchEngine } from './engine.ts'
import { benchGateway, benchGatewayVsMcpProxy } from './gateway.ts'
import { benchHistory } from './history.ts'
import { benchHookCommand } from './hook-command.ts'
import { benchHookHttp } from './hook-http.ts'
import type { BenchResult } from './measure.ts'
import { benchMemory } from './memory.ts'
import { benchNodes, benchNodesApart } from './nodes.ts'
import { benchPolicy } from './policy.ts'
import { benchProve } from './prove.ts'
import { benchReplay } from './replay.ts'
import { benchScale } from './scale.ts'
import { benchSessions } from './sessions.ts'

type Bench = () => BenchResult | Promise<BenchResult>

const benches: Readonly<Record<string, Bench>> = {
  engine: benchEngine,
  decision: benchDecision,
  conditions: benchConditions,
  policy: benchPolicy,
  hook_http: benchHookHttp,
  hook_command: benchHookCommand,
  durable: benchDurable,
  gateway: benchGateway,
  gateway_vs_mcp_proxy: benchGatewayVsMcpProxy,
  history: benchHistory,
  memory: benchMemory,
  sessions: benchSessions,
  replay: benchReplay,
  prove: benchProve,
  dashboard: benchDashboard,
}

/** Only by name: they need what not every machine has, or take long. */
const onRequest: Readonly<Record<string, Bench>> = {
  nodes: benchNodes,
  nodes_apart: benchNodesApart,
  scale: benchScale,
}

const requested = process.argv.slice(2).filter((argument) => !argument.startsWith('-'))
const asJson = process.argv.includes('--json')
const results: BenchResult[] = []
for (const [name, bench] of Object.entries({ ...benches, ...onRequest })) {
  if (requested.length > 0 ? !requested.includes(name) : Object.hasOwn(onRequest, name)) continue
  if (!asJson) process.stderr.write(`${name} …\n`)
  results.push(await bench())
}
process.stdout.write(asJson ? `${JSON.stringify({ results })}\n` : table(results))

function table(rows: readonly BenchResult[]): string {
  const head = ['name', 'value', 'unit', 'baseline', 'ratio', 'target', 'more']
  const body = rows.map((row) => [
    row.name,
    number(row.value),
    row.unit,
    row.baseline === undefined ? '' : `${number(row.baseline)} (${row.against ?? ''})`,
    row.ratio === undefined ? '' : row.ratio.toFixed(2),
    row.target ?? '',
    Object.entries(row.more ?? {})
      .map(([name, value]) => `${name} ${number(value)}`)
      .join(', '),
  ])
  const widths = head.map((title, column) =>
    Math.max(title.length, ...body.map((cells) => cells[column]?.length ?? 0)),
  )
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd()
  return `${[head, ...body].map(line).join('\n')}\n`
}

function number(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3)
}
