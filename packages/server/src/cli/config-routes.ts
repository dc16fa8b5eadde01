import { z } from 'zod'
import type { PinnedConfig } from '../config/pinned.ts'
import { json, problemReply } from '../http/door/reply.ts'
import { type Route, route } from '../http/door/route.ts'
import type { RuntimeParts } from '../runtime/parts.ts'
import { HeldModeShape } from './mode-routes.ts'

const Change = z.object({
  key: z.string(),
  from: z.unknown(),
  to: z.unknown(),
  loosens: z.string().nullable().describe('What the change takes away, where it does.'),
})

const ConfigShape = z.object({
  settings: z.looseObject({}),
  mode: HeldModeShape,
  waiting: z.object({ hash: z.string(), changes: z.array(Change) }).nullable(),
})

/** Doors to the configuration that holds, and to the change that waits for a person. */
export function configRoutes(
  pinned: PinnedConfig,
  afterAccept: (runtime: RuntimeParts) => Promise<readonly string[]> = async () => [],
): readonly Route[] {
  const now = () => ({
    settings: pinned.current(),
    mode: pinned.mode(),
    waiting: pinned.waiting(),
  })
  return [
    route({
      method: 'GET',
      path: '/api/config',
      who: 'person',
      summary: 'The configuration that holds, and the change that waits.',
      answers: { 200: ConfigShape },
      handle: () => json(200, now()),
    }),
    route({
      method: 'POST',
      path: '/api/config/reload',
      who: 'person',
      summary: 'Read the files again. What loosens, or meets live runs, waits to be accepted.',
      answers: { 200: ConfigShape },
      handle: async () => {
        const read = await pinned.reload()
        return read.ok ? json(200, now()) : problemReply(read.error)
      },
    }),
    route({
      method: 'POST',
      path: '/api/config/accept',
      who: 'person',
      summary: 'Accept the change that waits; `hash` says which one was seen.',
      proof: 'configure',
      body: z.object({ hash: z.string().max(100).optional() }),
      answers: { 200: ConfigShape.extend({ warnings: z.array(z.string()) }) },
      handle: async (call) => {
        const accepted = await pinned.accept(call.caller.name, call.body.hash)
        if (!accepted.ok) return problemReply(accepted.error)
        const warnings = await afterAccept(call.parts.runtime)
        return json(200, { ...now(), warnings })
      },
    }),
  ]
}
