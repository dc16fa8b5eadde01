import { once } from 'node:events'
import { Testbed } from '../../packages/server/testing/testbed.ts'
import {
  type Acknowledged,
  crashWorkflow,
  faultsOf,
  type ServerAddress,
  send,
  verifyFaults,
  work,
} from './server-load.ts'

export interface CrashReport {
  readonly crashes: number
  readonly calls: number
  readonly transitions: number
  /** How often a run was verified: right after a start, and while calls were in flight. */
  readonly verified: { readonly atStart: number; readonly underLoad: number }
  readonly faults: readonly string[]
}

const runs = 8
const looksEvery = 20

/**
 * Kills a real server with SIGKILL at random moments under load, and looks what is left of it.
 * Every run is verified as the first thing after each start, while the server still writes down
 * the gap, and over and over during the load: a false alarm is a fault as a lost call is.
 */
export async function crashServer(
  times: number,
  say: (line: string) => void = () => {},
): Promise<CrashReport> {
  const testbed = new Testbed()
  const data = `${testbed.folder}/data`
  const reported: Acknowledged[] = []
  const faults: string[] = []
  const verified = { atStart: 0, underLoad: 0 }
  try {
    for (let crash = 0; crash <= times && faults.length === 0; crash++) {
      const { ready, child } = await testbed.up('--test-person', '--data', data)
      const server: ServerAddress = { url: ready.url, token: ready.person_token ?? '' }
      const atStart = await Promise.all(reported.map((one) => verifyFaults(server, one.runId)))
      faults.push(...atStart.flat().map((fault) => `after start ${crash}: ${fault}`))
      verified.atStart += reported.length
      if (reported.length === 0) await begin(server, reported)
      // Nothing that was lost comes back, so that looking now and then finds it as well.
      if (crash % looksEvery === 0 || crash === times) {
        for (const one of reported) faults.push(...(await faultsOf(server, one)))
      }
      if (crash === times) {
        child.kill('SIGTERM')
        await once(child, 'exit')
        break
      }
      let isOver = false
      const load = reported.map((one) => work([server], one, () => isOver))
      const looked = Promise.withResolvers<void>()
      const looking = verifyOverAndOver(server, reported, () => isOver, looked.resolve)
      await new Promise((resolve) => setTimeout(resolve, 20 + Math.random() * 400))
      // However busy the machine is: one look at least is over before one of the crashes.
      if (crash === 0) await Promise.race([looked.promise, looking])
      child.kill('SIGKILL')
      await once(child, 'exit')
      isOver = true
      await Promise.all(load)
      const found = await looking
      verified.underLoad += found.times
      faults.push(...found.faults.map((fault) => `under load ${crash}: ${fault}`))
      if (crash % 10 === 9) say(`${crash + 1} crashes, ${countCalls(reported)} calls acknowledged`)
    }
    const transitions = reported.reduce((sum, one) => sum + one.transitions, 0)
    return { crashes: times, calls: countCalls(reported), transitions, verified, faults }
  } finally {
    testbed.close()
  }
}

/** Verifies run after run until the server is gone. */
async function verifyOverAndOver(
  server: ServerAddress,
  reported: readonly Acknowledged[],
  isOver: () => boolean,
  onLook: () => void,
): Promise<{ readonly times: number; readonly faults: readonly string[] }> {
  const faults: string[] = []
  for (let times = 0; ; times++) {
    const one = reported[times % reported.length]
    if (one === undefined || isOver()) return { times, faults }
    const answer = await send(server, 'GET', `/api/runs/${one.runId}/verify`)
    if (answer === undefined) return { times, faults }
    if (answer.body.ok !== true) faults.push(`${one.runId}: ${JSON.stringify(answer.body)}`)
    onLook()
  }
}

async function begin(server: ServerAddress, reported: Acknowledged[]): Promise<void> {
  await send(server, 'PUT', '/api/workflows/crash', crashWorkflow)
  for (let index = 0; index < runs; index++) {
    const started = await send(server, 'POST', '/api/runs', { workflow: 'crash' })
    const runId = String(started?.body.run_id)
    reported.push({ runId, calls: new Set(), transitions: 0 })
  }
}

function countCalls(reported: readonly Acknowledged[]): number {
  return reported.reduce((sum, one) => sum + one.calls.size, 0)
}
