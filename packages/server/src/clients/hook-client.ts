import { defined, err, ok, own, type Problem, type Result } from '@statewright/core/internal'
import { z } from 'zod'
import { callDigest } from './call-digest.ts'
import type {
  CanaryCall,
  ClientAnswer,
  ClientCall,
  ClientEvent,
  CodingClient,
  HookOrigin,
} from './client.ts'

/** What differs between clients that send one JSON body for each event and take one back. */
export interface HookDialect
  extends Omit<CodingClient, 'parse' | 'render' | 'toolUseOf' | 'hookEvents'> {
  /** Whose hook it is. */
  readonly head: z.ZodType<Omit<ClientCall, 'event'>>
  /** What we make of an event, by its name. Others are nothing that we listen for. */
  readonly events: Readonly<Record<string, PlainType | EventReader>>
  /** Events that take words for the model. */
  readonly tells: readonly string[]
  tell(name: string, text: string): object
  /** Events that take a no, and how it is said. */
  readonly denies: Readonly<Record<string, (text: string) => object>>
  /** An event that cannot be read may be a tool call: no answer means no. */
  denyUnreadable(text: string): object
  /** Events that take another input for their call. */
  readonly rewritten?: Readonly<Record<string, (answer: Rewrite) => object>>
  /** Where an MCP call names the tool use, if it does. */
  readonly toolUseKey?: string
}

type PlainType = Exclude<
  ClientEvent['type'],
  'tool_requested' | 'tool_finished' | 'batch_finished' | 'settings_changed'
>
type EventReader = (name: string, body: unknown, origin: HookOrigin) => Result<ClientEvent, Problem>
type Rewrite = Extract<ClientAnswer, { kind: 'rewrite' }>

/** The adapter of such a client. */
export function hookClient(dialect: HookDialect): CodingClient {
  const { head, events, tells, tell, denies, denyUnreadable, rewritten, toolUseKey, ...client } =
    dialect
  const names = Object.keys(events)
  return {
    ...client,
    hookEvents: {
      asks: names.filter((name) => Object.hasOwn(denies, name)),
      reports: names.filter((name) => !Object.hasOwn(denies, name)),
    },

    parse(body, origin = {}) {
      const named = readBody(Named, 'hook', body)
      if (!named.ok) return named
      const whose = readBody(head, 'hook', body)
      if (!whose.ok) return whose
      const name = named.value.hook_event_name
      const reader = own(events, name) ?? 'other'
      if (typeof reader === 'string') return ok({ ...whose.value, event: { type: reader } })
      const event = reader(name, body, origin)
      return event.ok ? ok({ ...whose.value, event: event.value }) : event
    },

    render(body, answer) {
      const named = Named.safeParse(body)
      if (answer.kind === 'nothing') return {}
      const name = named.data?.hook_event_name
      if (answer.kind === 'rewrite') return own(rewritten ?? {}, name ?? '')?.(answer) ?? {}
      const text = shortened(answer.text)
      if (name === undefined) return denyUnreadable(text)
      const deny = own(denies, name)
      if (deny !== undefined && answer.kind !== 'tell') return deny(text)
      return tells.includes(name) ? tell(name, text) : {}
    },

    toolUseOf(meta) {
      const id = toolUseKey === undefined ? undefined : own(meta, toolUseKey)
      return typeof id === 'string' && id !== '' ? id : undefined
    },
  }
}

const Named = z.looseObject({ hook_event_name: z.string() })

const Prompt = z.looseObject({ prompt: z.string().optional() })

/** Events without further facts, as Claude Code spells them; Codex and Copilot took that over. */
export const claudeEvents = {
  UserPromptSubmit: promptReader(),
  SessionStart: 'session_started',
  SessionEnd: 'session_ended',
  Stop: 'turn_ended',
  SubagentStop: 'agent_ended',
} as const

/** A write, as Claude Code asks for it; Codex and Copilot took that over. */
export function claudeCanary({ id, session, folder, file }: CanaryCall): object {
  return {
    session_id: session,
    cwd: folder,
    hook_event_name: 'PreToolUse',
    tool_name: 'Write',
    tool_use_id: id,
    tool_input: { file_path: file, content: '', path: file, file_text: '' },
  }
}

/** What a person wrote, under the name that clients agree on. */
export function promptReader(): EventReader {
  return reads(Prompt, ({ prompt }) =>
    prompt === undefined ? { type: 'prompt_given' } : { type: 'prompt_given', text: prompt },
  )
}

export const Id = z.string().min(1).max(200)

export const Tool = z.looseObject({
  tool_name: z.string().min(1).max(500),
  tool_use_id: Id,
  tool_input: z.unknown(),
})

/** A call in hooks that name none: a result is joined to its request by what was asked. */
export const UnnamedTool = Tool.omit({ tool_use_id: true }).extend({ session_id: z.string() })

/** The same for the request and the result of a call; the gateway numbers what is asked twice. */
export function callIdOf({ session_id, tool_name, tool_input }: z.infer<typeof UnnamedTool>) {
  return callDigest(session_id, tool_name, tool_input)
}

export function callIdWith(body: unknown, input: unknown): string | undefined {
  const tool = UnnamedTool.safeParse(body)
  return tool.success ? callIdOf({ ...tool.data, tool_input: input }) : undefined
}

type Requested = Extract<ClientEvent, { type: 'tool_requested' }>

export function requested(
  call: Omit<Requested, 'type' | 'server'> & { readonly server: string | undefined },
): Requested {
  const { server, ...rest } = call
  return { type: 'tool_requested', ...rest, ...defined({ server }) }
}

/** An event that has facts of its own. */
export function reads<Shape>(
  schema: z.ZodType<Shape>,
  make: (data: Shape, origin: HookOrigin) => ClientEvent,
): EventReader {
  return (name, body, origin) => {
    const read = readBody(schema, name, body)
    return read.ok ? ok(make(read.value, origin)) : read
  }
}

/** Reads a hook's body by its shape. */
export function readBody<Shape>(
  schema: z.ZodType<Shape>,
  name: string,
  body: unknown,
): Result<Shape, Problem> {
  const parsed = schema.safeParse(body)
  if (parsed.success) return ok(parsed.data)
  const [issue] = parsed.error.issues
  const where = issue === undefined || issue.path.length === 0 ? 'the body' : issue.path.join('.')
  const message = `${name} cannot be read at ${where}: ${issue?.message ?? ''}`
  return err({ code: 'usage', message })
}

const maxText = 9500

/** Clients cut a text for the model at about 10,000 characters; what is cut must be our choice. */
function shortened(text: string): string {
  return text.length > maxText ? `${text.slice(0, maxText)}…` : text
}

/** An answer as Claude Code reads it; without the name of the event it is void. */
export function hookOutput(hookEventName: string, fields: object): object {
  return { hookSpecificOutput: { hookEventName, ...fields } }
}

export function denied(permissionDecisionReason: string): object {
  // An ask of ours is parked and told as a denial: clients treat a native ask too differently.
  return hookOutput('PreToolUse', { permissionDecision: 'deny', permissionDecisionReason })
}
