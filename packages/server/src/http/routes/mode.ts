import { phrase } from '@statewright/core/internal'
import { type Constant, endpoints, type Mode, type ModeNow } from '@statewright/core/wire'
import type { Caller } from '../../base/caller.ts'
import type { PinnedConfig } from '../../config/pinned.ts'
import { countStopped, latestStopped } from '../../reports/stopped-calls.ts'
import { noteInLiveRuns } from '../../runtime/runs/change-run.ts'
import { demandProof } from '../pipeline/proof.ts'
import { type Route, type ServerDependencies, serve } from '../pipeline/route.ts'

const maxShown = 10

/** The switch between denying and only watching. */
export function modeRoutes(pinned: PinnedConfig): readonly Route[] {
  return [
    serve(endpoints.getMode, async ({ server }, reply) =>
      reply(200, await modeNow(pinned, server)),
    ),
    serve(endpoints.setMode, async (call, reply) => {
      const { server, caller, body } = call
      const before = pinned.mode().mode
      // Observing lets everything pass: nothing that an approval could allow is more dangerous.
      const refused = body.mode === 'enforce' ? undefined : await demandProof(call, 'configure')
      if (refused !== undefined) return refused
      await pinned.chooseMode(body.mode, caller.name)
      if (body.mode !== before) await noteSwitch(server, caller, { from: before, to: body.mode })
      return reply(200, await modeNow(pinned, server))
    }),
  ]
}

async function noteSwitch(
  { runtime, log }: ServerDependencies,
  caller: Caller,
  { from, to }: { readonly from: Mode; readonly to: Mode },
): Promise<void> {
  const who = caller.name
  log.warn({ by: who, from, to }, 'the mode was switched')
  const text = to === 'observe' ? phrase('mode_observe', { who }) : phrase('mode_enforce', { who })
  await noteInLiveRuns(runtime, caller, text, (run, fault) =>
    log.error({ err: fault, run }, 'the switched mode could not be recorded'),
  )
}

async function modeNow(
  pinned: PinnedConfig,
  { runtime }: Pick<ServerDependencies, 'runtime'>,
): Promise<Constant<ModeNow>> {
  const held = pinned.mode()
  const [count, latest] = await Promise.all([
    countStopped(runtime.store, held.since),
    latestStopped(runtime.store, held.since, maxShown),
  ])
  return { ...held, stopped: { count, latest } }
}
