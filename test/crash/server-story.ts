import { once } from 'node:events'
import { Place } from '../server-kit.ts'
import { type Acknowledged, crashWorkflow, type Door, faultsOf, send, work } from './server-load.ts'

export interface CrashReport {
  readonly crashes: number
  readonly calls: number
  readonly transitions: number
  readonly faults: readonly string[]
}

const runs = 8
const looksEvery = 20

/** Kills a real server with SIGKILL at random moments under load, and looks what is left of it. */
export async function crashServer(
  times: number,
  say: (line: string) => void = () => {},
): Promise<CrashReport> {
  const place = new Place()
  const data = `${place.folder}/data`
  const told: Acknowledged[] = []
  const faults: string[] = []
  try {
    for (let crash = 0; crash <= times && faults.length === 0; crash++) {
      const { ready, child } = await place.up('--test-person', '--data', data)
      const door: Door = { url: ready.url, token: ready.person_token ?? '' }
      if (told.length === 0) await begin(door, told)
      // Nothing that was lost comes back, so that looking now and then finds it as well.
      if (crash % looksEvery === 0 || crash === times) {
        for (const one of told) faults.push(...(await faultsOf(door, one)))
      }
      if (crash === times) {
        child.kill('SIGTERM')
        await once(child, 'exit')
        break
      }
      let isOver = false
      const load = told.map((one) => work([door], one, () => isOver))
      await new Promise((resolve) => setTimeout(resolve, 20 + Math.random() * 400))
      child.kill('SIGKILL')
      await once(child, 'exit')
      isOver = true
      await Promise.all(load)
      if (crash % 10 === 9) say(`${crash + 1} crashes, ${countCalls(told)} calls acknowledged`)
    }
    const transitions = told.reduce((sum, one) => sum + one.transitions, 0)
    return { crashes: times, calls: countCalls(told), transitions, faults }
  } finally {
    place.close()
  }
}

async function begin(door: Door, told: Acknowledged[]): Promise<void> {
  await send(door, 'PUT', '/api/workflows/crash', crashWorkflow)
  for (let index = 0; index < runs; index++) {
    const started = await send(door, 'POST', '/api/runs', { workflow: 'crash' })
    const runId = String(started?.body.run_id)
    told.push({ runId, calls: new Set(), transitions: 0 })
  }
}

function countCalls(told: readonly Acknowledged[]): number {
  return told.reduce((sum, one) => sum + one.calls.size, 0)
}
