import { z } from 'zod'
import type { Store } from '../store/store.ts'

const Text = z.string().max(2000)

/** What "statewright doctor" says of one installation. */
const Examined = z.object({
  client: Text,
  scope: Text,
  project: Text.optional(),
  url: Text,
  findings: z
    .array(
      z.object({
        check: Text,
        status: z.enum(['ok', 'warning', 'broken']),
        message: Text,
        next: Text.optional(),
      }),
    )
    .max(100),
})

export const DoctorReport = z.object({
  ok: z.boolean(),
  only: Text.optional().describe('The one client that was looked at; all when left out.'),
  clients: z.array(Examined).max(100),
})
export type DoctorReport = z.infer<typeof DoctorReport>

export const KeptReport = z.object({
  at: z.number(),
  ok: z.boolean(),
  clients: z.array(Examined.extend({ examined_at: z.number() })),
})
export type KeptReport = z.infer<typeof KeptReport>

type Settling = Pick<Store, 'settings'>

const key = 'clients.report'
const mostKept = 100

/** It speaks of settings on a person's machine, which the server cannot see by itself. */
export async function readReport(store: Settling): Promise<KeptReport | null> {
  const text = await store.settings.get(key)
  return text === undefined ? null : JSON.parse(text) // Only ever written below.
}

/** A look at one client leaves what was found of the others. */
export async function keepReport(
  store: Settling,
  report: DoctorReport,
  now: number,
): Promise<void> {
  const { only } = report
  const before = only === undefined ? [] : ((await readReport(store))?.clients ?? [])
  const others = before.filter(({ client }) => client !== only)
  const fresh = report.clients.map((one) => ({ ...one, examined_at: now }))
  const clients = [...fresh, ...others].slice(0, mostKept)
  const ok = clients.every(({ findings }) => findings.every(({ status }) => status !== 'broken'))
  await store.settings.set(key, JSON.stringify({ at: now, ok, clients } satisfies KeptReport))
}
