import { phrase } from '@statewright/core'
import { z } from 'zod'
import type { PinnedConfig } from '../config/pinned.ts'
import { demandProof } from '../http/door/proof.ts'
import { json, type Reply } from '../http/door/reply.ts'
import { type Call, type Route, route } from '../http/door/route.ts'
import { noteInLiveRuns } from '../runtime/note-live-runs.ts'
import { countStopped, latestStopped } from '../runtime/stopped-calls.ts'

const Mode = z.enum(['enforce', 'observe'])

const Choice = z.object({ mode: Mode, by: z.string(), at: z.number(), over: Mode })

export const HeldModeShape = z.object({
  mode: Mode,
  since: z.number().describe('When it began to hold.'),
  configured: Mode,
  origin: z.string().describe('Where the configuration says so.'),
  choice: Choice.nullable().describe('What a person laid over the configuration.'),
  ended: Choice.extend({ until: z.number() })
    .nullable()
    .describe('A choice that ended when the configuration changed its word.'),
})

const Stopped = z.object({
  run_id: z.string(),
  workflow: z.string(),
  seq: z.number(),
  at: z.number(),
  tool: z.string(),
  state: z.string(),
  decision: z.enum(['deny', 'ask']),
  passed: z.boolean().describe('It was only observed, and ran.'),
  code: z.string().nullable(),
  message: z.string(),
})

const ModeShape = HeldModeShape.extend({
  stopped: z
    .object({ count: z.number(), latest: z.array(Stopped) })
    .describe('Calls since then that the rules stopped or, in observe mode, would have stopped.'),
})

const mostShown = 10

/** The switch between denying and only watching. */
export function modeRoutes(pinned: PinnedConfig): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/mode',
      who: 'person',
      summary: 'Whether rules are enforced or only observed, since when, and by whose word.',
      answers: { 200: ModeShape },
      handle: (call) => modeNow(pinned, call),
    }),
    route({
      method: 'PUT',
      path: '/api/mode',
      who: 'person',
      summary: 'Enforce or only observe, from now on, until the configuration changes its word.',
      body: z.object({ mode: Mode }),
      answers: { 200: ModeShape },
      handle: (call) => switchMode(pinned, call),
    }),
  ]
}

async function switchMode(
  pinned: PinnedConfig,
  call: Call<{ readonly mode: z.infer<typeof Mode> }, undefined>,
): Promise<Reply> {
  const { parts, caller, body } = call
  const before = pinned.mode().mode
  // Observing lets everything pass: nothing that an approval could allow is more dangerous.
  const refused = body.mode === 'enforce' ? undefined : await demandProof(call, 'configure')
  if (refused !== undefined) return refused
  await pinned.chooseMode(body.mode, caller.name)
  if (body.mode !== before) {
    parts.log.warn({ by: caller.name, from: before, to: body.mode }, 'the mode was switched')
    const who = caller.name
    const text =
      body.mode === 'observe' ? phrase('mode_observe', { who }) : phrase('mode_enforce', { who })
    await noteInLiveRuns(parts.runtime, caller, text, (run, fault) =>
      parts.log.error({ err: fault, run }, 'the switched mode could not be recorded'),
    )
  }
  return modeNow(pinned, call)
}

async function modeNow(
  pinned: PinnedConfig,
  { parts }: Pick<Call<unknown, unknown>, 'parts'>,
): Promise<Reply> {
  const { store } = parts.runtime
  const held = pinned.mode()
  const [count, latest] = await Promise.all([
    countStopped(store, held.since),
    latestStopped(store, held.since, mostShown),
  ])
  return json(200, { ...held, stopped: { count, latest } })
}
