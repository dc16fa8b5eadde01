import { ok } from '@statewright/core/internal'
import { Decision } from '@statewright/core/wire'
import { z } from 'zod'
import { explainCall } from '../../guard/explain.ts'
import { adapterNamed } from '../../hooks/client-adapter.ts'
import { callersRun } from '../tool-caller.ts'
import { Name, ownTool, RunHandle } from './tool.ts'

/** Nobody makes the call: it has no id, and waits for nobody. */
const Explained = Decision.pick({
  decision: true,
  code: true,
  message: true,
  reasons: true,
  allowed_tools: true,
  events: true,
  way: true,
})

export const explain = ownTool({
  name: 'statewright_explain',
  description:
    'What would be decided about a tool call now, and why. Recorded; changes nothing else.',
  input: z.object({
    tool: Name.describe('Tool as the client calls it.'),
    input: z.json().optional().describe('Its input.'),
    run: RunHandle,
  }),
  output: z.looseObject(Explained.shape),
  isReading: true,
  async call(from, { tool, input, run }) {
    const found = await callersRun(from, run)
    if (!found.ok) return found
    const request = { run: found.value.row.runId, tool, input: input ?? {} }
    const adapter = adapterNamed(from.caller.client, from.runtime.settings)
    const explained = await explainCall(from.guard, from.caller, request, adapter)
    if (!explained.ok) return explained
    const judged = explained.value
    const allowed_tools = judged.allowedTools === null ? null : [...judged.allowedTools]
    if (judged.decision === 'allow') {
      return ok({ decision: judged.decision, reasons: [], allowed_tools, events: [] })
    }
    const { decision, code, message, reasons, events, way } = judged
    return ok({
      decision,
      code,
      message,
      reasons: reasons.map((reason) => ({ ...reason })),
      allowed_tools,
      events: events.map((one) => ({ ...one })),
      ...(way === undefined ? {} : { way: way.map((one) => ({ ...one })) }),
    })
  },
})
