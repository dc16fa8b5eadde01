import { AgentError, AgentMessage, HookRunRecord, ToolRunRecord } from '@statewright/core'
import { z } from 'zod'

/** What the server answers of sessions, as far as commands read it; more may stand there. */
export const SessionLine = z.looseObject({
  sessionId: z.string(),
  kind: z.string(),
  harness: z.string(),
  projectPath: z.string(),
  workflow: z.string().nullable(),
  runId: z.string().nullable(),
  updatedAtMs: z.number(),
  costUsd: z.number(),
  lastError: AgentError.nullable(),
})
export type SessionLine = z.infer<typeof SessionLine>

export const SessionList = z.looseObject({ sessions: z.array(SessionLine) })

export const Attached = SessionLine.extend({
  state: z.looseObject({
    toolRuns: z.array(ToolRunRecord),
    hookRuns: z.array(HookRunRecord),
  }),
  retryAtMs: z.number().nullable(),
  conversation: z.array(AgentMessage),
  lastEventId: z.string(),
})
export type Attached = z.infer<typeof Attached>

/** A path below a session, with whatever its id holds kept in one segment. */
export function sessionPath(id: string, rest = ''): string {
  return `/api/sessions/${encodeURIComponent(id)}${rest}`
}
