import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/** Whether what the rules deny is denied, or only recorded. */
export const Mode = z.enum(['enforce', 'observe'])
export type Mode = z.infer<typeof Mode>

const Choice = z.object({ mode: Mode, by: z.string(), at: z.number(), over: Mode })

/** The mode that holds, and by whose word. */
export const HeldMode = z.object({
  mode: Mode,
  since: z.number().describe('When it took effect.'),
  configured: Mode,
  origin: z.string().describe('File or setting that configures it.'),
  choice: Choice.nullable().describe('A choice by a person, which overrides the configuration.'),
  ended: Choice.extend({ until: z.number() })
    .nullable()
    .describe('A choice that ended when the configured mode changed.'),
})
export type HeldMode = z.infer<typeof HeldMode>

/** A call that the rules stopped or, while only observing, would have stopped. */
export const StoppedCall = z.object({
  run_id: z.string(),
  workflow: z.string(),
  seq: z.number(),
  at: z.number(),
  tool: z.string(),
  state: z.string(),
  decision: z.enum(['deny', 'ask']),
  passed: z.boolean().describe('It was only recorded, and ran.'),
  code: z.string().nullable(),
  message: z.string(),
})
export type StoppedCall = z.infer<typeof StoppedCall>

export const ModeNow = HeldMode.extend({
  stopped: z
    .object({ count: z.number(), latest: z.array(StoppedCall) })
    .describe('Calls since then that the rules stopped or, in observe mode, would have stopped.'),
})
export type ModeNow = z.infer<typeof ModeNow>

/** The switch between denying and only watching. */
export const modeEndpoints = {
  getMode: endpoint({
    method: 'GET',
    path: '/api/mode',
    who: 'person',
    summary: 'Whether rules are enforced or only observed, since when, and who decided it.',
    answers: { 200: ModeNow },
  }),
  // A proof is demanded towards observing alone.
  setMode: endpoint({
    method: 'PUT',
    path: '/api/mode',
    who: 'person',
    summary: 'Set the mode: enforce or observe. Overrides the configuration until it changes.',
    body: z.strictObject({ mode: Mode }),
    answers: { 200: ModeNow },
  }),
}
