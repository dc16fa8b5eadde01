import { endpoints } from '@statewright/core/wire'
import type { PinnedConfig } from '../../config/pinned.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { problemReply } from '../pipeline/reply.ts'
import { type Route, serve } from '../pipeline/route.ts'

/** Doors to the configuration that holds, and to the change that waits for a person. */
export function configRoutes(
  pinned: PinnedConfig,
  afterAccept: (runtime: Runtime) => Promise<readonly string[]> = async () => [],
): readonly Route[] {
  const now = () => ({
    settings: { ...pinned.current() },
    mode: pinned.mode(),
    waiting: pinned.waiting(),
  })
  return [
    serve(endpoints.getConfig, (_, reply) => reply(200, now())),
    serve(endpoints.reloadConfig, async (_, reply) => {
      const read = await pinned.reload()
      return read.ok ? reply(200, now()) : problemReply(read.error)
    }),
    serve(endpoints.acceptConfig, async ({ server, caller, body }, reply) => {
      const accepted = await pinned.accept(caller.name, body.hash)
      if (!accepted.ok) return problemReply(accepted.error)
      const warnings = await afterAccept(server.runtime)
      return reply(200, { ...now(), warnings })
    }),
  ]
}
