import { join } from 'node:path'
import {
  type BenchClient,
  connectOnceReady,
  connectTo,
  echoFile,
  freePort,
  startGateway,
} from './gateway-kit.ts'
import { type BenchResult, quantile } from './measure.ts'
import { spawnQuietly, startChild, stop, temporaryFolder } from './server-kit.ts'

/** So many that both sides run as compiled as they ever will. */
const warmUp = 2000
const rounds = 8
const perRound = 250

const proxyFile = join(import.meta.dirname, 'bare-proxy.ts')

/**
 * A tool call through the gateway, decided and durable, against the same call without it. Its floor
 * is a proxy that passes bytes on unread and commits once.
 */
export async function benchGateway(): Promise<BenchResult> {
  const folder = temporaryFolder()
  const { child, line } = await startChild([echoFile, 'http'], folder.path)
  const url = line.trim()
  const proxy = await startChild([proxyFile, url, folder.path], folder.path)
  const [direct, bare] = [await connectTo(url), await connectTo(proxy.line.trim())]
  const { ours, client } = await startGateway(folder.path, { type: 'http', url })
  try {
    const [value = Number.NaN, baseline = Number.NaN, floor = Number.NaN] = await inTurn([
      client,
      direct,
      bare,
    ])
    return {
      name: 'gateway',
      value: value * 1000,
      unit: 'µs (median)',
      baseline: baseline * 1000,
      against: 'the same call straight to the server over HTTP',
      ratio: value / baseline,
      target: '<= 2',
      more: { floor: floor * 1000, ratio_floor: value / floor },
    }
  } finally {
    await Promise.all([client.close(), direct.close(), bare.close()])
    await ours.close()
    await Promise.all([stop(child), stop(proxy.child)])
    folder.remove()
  }
}

/** A stdio server behind our gateway, behind mcp-proxy and behind supergateway, over HTTP. */
export async function benchGatewayVsMcpProxy(): Promise<BenchResult> {
  const folder = temporaryFolder()
  const command = [process.execPath, echoFile]
  const [program = '', ...args] = command
  const { ours, client } = await startGateway(folder.path, { command: program, args })
  const proxyPort = await freePort()
  const proxy = spawnQuietly(
    [binOf('mcp-proxy'), '--host', '127.0.0.1', '--port', `${proxyPort}`, '--', ...command],
    folder.path,
  )
  const superPort = await freePort()
  const superWords = ['--stdio', command.join(' '), '--outputTransport', 'streamableHttp']
  const supergateway = spawnQuietly(
    [binOf('supergateway'), ...superWords, '--stateful', '--port', `${superPort}`],
    folder.path,
  )
  const clients = [client]
  try {
    clients.push(await connectOnceReady(`http://127.0.0.1:${proxyPort}/mcp`, 'auto'))
    // It ends its child at the first word of the new era.
    clients.push(await connectOnceReady(`http://127.0.0.1:${superPort}/mcp`, 'legacy'))
    const [value = Number.NaN, baseline = Number.NaN, other = Number.NaN] = await inTurn(clients)
    return {
      name: 'gateway_vs_mcp_proxy',
      value: value * 1000,
      unit: 'µs (median)',
      baseline: baseline * 1000,
      against: 'mcp-proxy',
      ratio: value / baseline,
      target: '< 1',
      more: { supergateway: other * 1000, ratio_supergateway: value / other },
    }
  } finally {
    await Promise.all(clients.map((one) => one.close()))
    await ours.close()
    await Promise.all([stop(proxy), stop(supergateway)])
    folder.remove()
  }
}

/** Medians of each, measured in turn, so that a noisy machine disturbs them alike. */
async function inTurn(clients: readonly BenchClient[]): Promise<number[]> {
  const times = clients.map((): number[] => [])
  for (const client of clients) await client.call(warmUp)
  for (let round = 0; round < rounds; round++) {
    for (const [index, client] of clients.entries()) {
      times[index]?.push(...(await client.call(perRound)))
    }
  }
  return times.map((one) => quantile(one, 0.5))
}

const bins: Readonly<Record<string, string>> = {
  'mcp-proxy': 'dist/bin/mcp-proxy.mjs',
  supergateway: 'dist/index.js',
}

function binOf(name: string): string {
  return join(import.meta.dirname, '..', 'node_modules', name, bins[name] ?? '')
}
