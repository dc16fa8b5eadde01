import { defined, ok, unreachable } from '@statewright/core/internal'
import { z } from 'zod'
import type { ClientAnswer, ClientEvent, CodingClient } from './client.ts'
import { Id, readBody, requested } from './hook-client.ts'

/**
 * opencode has no hooks that reach outside, only plugins: the words are those of our own, in
 * plugin/opencode/statewright.js, and the two files change together.
 */
export const opencode: CodingClient = {
  name: 'opencode',
  program: 'opencode',
  folders: ['.opencode', '.config/opencode'],
  processNames: ['opencode'],
  readsByShell: false,
  namesAgents: true,
  rewrites: 'freely',
  marksOwnCalls: true,
  // The brief stands in the system prompt of every request instead.
  briefsAfterEachTool: false,

  parse(body) {
    const read = readBody(Message, 'the hook', body)
    if (!read.ok) return read
    const { session, root, directory: cwd } = read.value
    // A sub-agent is a session of its own below the one that a person opened.
    const agentId = session === root ? undefined : session
    return ok(defined({ session: root, agentId, cwd, event: eventOf(read.value) }))
  },

  render: (body, answer) => {
    const event = z.looseObject({ event: z.string() }).safeParse(body)
    return event.success && event.data.event !== 'tool.before'
      ? answerFields(answer)
      : judged(answer)
  },

  toolUseOf: () => undefined,

  canary: ({ id, session, folder, file }) => ({
    event: 'tool.before',
    session,
    root: session,
    directory: folder,
    call: id,
    tool: 'write',
    to_us: false,
    args: { filePath: file, content: '' },
  }),
}

const base = {
  session: Id,
  root: Id,
  directory: z.string().optional(),
}
const call = {
  call: Id,
  tool: z.string().min(1).max(500),
  server: z.string().min(1).max(500).optional(),
  to_us: z.boolean(),
}

const Message = z.discriminatedUnion('event', [
  z.looseObject({ event: z.literal('tool.before'), ...base, ...call, args: z.unknown() }),
  z.looseObject({
    event: z.literal('tool.after'),
    ...base,
    ...call,
    bytes: z.int().nonnegative(),
    output: z.string().optional(),
    exit: z.enum(['success', 'failure']),
  }),
  z.looseObject({ event: z.literal('request'), ...base }),
  z.looseObject({ event: z.literal('session.started'), ...base }),
  z.looseObject({ event: z.literal('session.idle'), ...base }),
])
type Message = z.infer<typeof Message>

function eventOf(message: Message): ClientEvent {
  switch (message.event) {
    case 'tool.before':
      return requested({
        callId: callIdOf(message),
        tool: message.tool,
        server: message.server,
        input: message.args,
        toUs: message.to_us,
      })
    case 'tool.after': {
      const { tool, bytes, exit, output, to_us: toUs } = message
      const kept = output === undefined ? {} : { output }
      return { type: 'tool_finished', callId: callIdOf(message), tool, toUs, bytes, exit, ...kept }
    }
    case 'request':
      return { type: 'prompt_given' }
    case 'session.started':
      return { type: 'session_started' }
    case 'session.idle':
      return { type: message.session === message.root ? 'turn_ended' : 'agent_ended' }
    default:
      return unreachable(message)
  }
}

/** Ids of calls come from the model and are its own in each conversation. */
function callIdOf(message: { readonly session: string; readonly call: string }): string {
  return `${message.session}/${message.call}`.slice(-200)
}

/** The plugin refuses whatever is not exactly an allow. */
function judged(answer: ClientAnswer): object {
  switch (answer.kind) {
    case 'nothing':
      return { decision: 'allow' }
    case 'tell':
      return { decision: 'allow', say: answer.text }
    case 'rewrite':
      return defined({ decision: 'allow', args: answer.input, say: answer.text })
    case 'deny':
    case 'fault':
      return { decision: 'deny', reason: answer.text }
    default:
      return unreachable(answer)
  }
}

function answerFields(answer: ClientAnswer): object {
  return answer.kind === 'nothing' || answer.kind === 'rewrite' ? {} : { say: answer.text }
}
