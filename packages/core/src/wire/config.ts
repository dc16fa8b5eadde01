import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { HeldMode } from './mode.ts'

export const ConfigChange = z.object({
  key: z.string(),
  from: z.unknown(),
  to: z.unknown(),
  loosens: z.string().nullable().describe('What protection the change removes, if any.'),
})
export type ConfigChange = z.infer<typeof ConfigChange>

export const Config = z.object({
  settings: z.record(z.string(), z.unknown()).describe('By the keys of /config-schema.json.'),
  mode: HeldMode,
  waiting: z.object({ hash: z.string(), changes: z.array(ConfigChange) }).nullable(),
})
export type Config = z.infer<typeof Config>

/** The configuration that holds, and the change that waits for a person. */
export const configEndpoints = {
  getConfig: endpoint({
    method: 'GET',
    path: '/api/config',
    who: 'person',
    summary: 'The configuration in effect, and the change that waits to be accepted.',
    answers: { 200: Config },
  }),
  reloadConfig: endpoint({
    method: 'POST',
    path: '/api/config/reload',
    who: 'person',
    summary: 'Read the files again. A change that loosens rules, or meets live runs, waits.',
    answers: { 200: Config },
  }),
  acceptConfig: endpoint({
    method: 'POST',
    path: '/api/config/accept',
    who: 'person',
    summary: 'Accept the waiting change; `hash` names the one that you saw.',
    proof: 'configure',
    body: z.strictObject({ hash: z.string().max(100).optional() }),
    answers: { 200: Config.extend({ warnings: z.array(z.string()) }) },
  }),
}
