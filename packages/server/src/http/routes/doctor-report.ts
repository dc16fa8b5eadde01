import type { BodyOf, ClientReport, endpoints } from '@statewright/core/wire'
import type { Store } from '../../store/store.ts'

type Report = BodyOf<typeof endpoints.reportClients>

type Settling = Pick<Store, 'settings'>

const key = 'clients.report'
const mostKept = 100

/** It speaks of settings on a person's machine, which the server cannot see by itself. */
export async function readReport(store: Settling): Promise<ClientReport | null> {
  const text = await store.settings.get(key)
  return text === undefined ? null : JSON.parse(text) // Only ever written below.
}

/** A look at one client leaves what was found of the others. */
export async function keepReport(store: Settling, report: Report, now: number): Promise<void> {
  const { only } = report
  const before = only === undefined ? [] : ((await readReport(store))?.clients ?? [])
  const others = before.filter(({ client }) => client !== only)
  const fresh = report.clients.map((one) => ({ ...one, examined_at: now }))
  const clients = [...fresh, ...others].slice(0, mostKept)
  const ok = clients.every(({ findings }) => findings.every(({ status }) => status !== 'broken'))
  await store.settings.set(key, JSON.stringify({ at: now, ok, clients } satisfies ClientReport))
}
