import { err, ok, type Problem, type Result } from '@statewright/core/internal'
import { z } from 'zod'
import type { ClientEvent } from './client.ts'

/** Reads a hook's body by its shape and makes something of it. */
export function readBody<Shape, Made>(
  schema: z.ZodType<Shape>,
  name: string,
  body: unknown,
  make: (data: Shape) => Made,
): Result<Made, Problem> {
  const parsed = schema.safeParse(body)
  if (parsed.success) return ok(make(parsed.data))
  const [issue] = parsed.error.issues
  const where = issue === undefined || issue.path.length === 0 ? 'the body' : issue.path.join('.')
  const message = `${name} cannot be read at ${where}: ${issue?.message ?? ''}`
  return err({ code: 'usage', message })
}

/** Clients cut a text for the model at about 10,000 characters; what is cut must be our choice. */
export function shortened(text: string): string {
  return text.length > mostText ? `${text.slice(0, mostText)}…` : text
}

const mostText = 9500

/** Which event a body is of; undefined where it does not say. */
export function eventNameIn(body: unknown): string | undefined {
  const named = z.looseObject({ hook_event_name: z.string() }).safeParse(body)
  return named.success ? named.data.hook_event_name : undefined
}

/** Events without further facts, as Claude Code spells them; Codex and Copilot took that over. */
export function plainEvent(name: string): ClientEvent {
  return { type: plainEvents.get(name) ?? 'other' }
}

type PlainType = 'prompt_given' | 'session_started' | 'session_ended' | 'turn_ended' | 'agent_ended'

const plainEvents: ReadonlyMap<string, PlainType> = new Map([
  ['UserPromptSubmit', 'prompt_given'],
  ['SessionStart', 'session_started'],
  ['SessionEnd', 'session_ended'],
  ['Stop', 'turn_ended'],
  ['SubagentStop', 'agent_ended'],
])
