import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  inputRequired,
  inputResponse,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import { ask } from './test-tools.ts'

/** Tests start one server process, so that a fixed key is as good as any. */
export const states = createRequestStateCodec<{ step: number }>({
  key: 'a key of thirty-two bytes or more for tests alone',
})

const text = (words: string) => ({ content: [{ type: 'text' as const, text: words }] })

function question(message: string, field: string, kind: 'string' | 'boolean' = 'string') {
  const type = kind === 'string' ? { type: 'string' as const } : { type: 'boolean' as const }
  const properties = { [field]: type }
  const requestedSchema = { type: 'object' as const, properties, required: [field] }
  return inputRequired.elicit({ message, requestedSchema })
}

const isAnswered = ({ mcpReq }: ServerContext, key: string) =>
  inputResponse(mcpReq.inputResponses, key).kind !== 'missing'

/** Tools that need several rounds, as the scenarios of the new era want them. */
export function addRounds(server: McpServer): void {
  const name = 'test_input_required_result_'
  server.registerTool(`${name}elicitation`, { description: 'One question.' }, ({ mcpReq }) => {
    const given = acceptedContent(
      mcpReq.inputResponses,
      'user_name',
      z.object({ name: z.string() }),
    )
    if (given !== undefined) return text(`Hello, ${given.name}!`)
    return inputRequired({ inputRequests: { user_name: question('What is your name?', 'name') } })
  })
  server.registerTool(`${name}sampling`, { description: 'One question to a model.' }, (context) => {
    const answer = inputResponse(context.mcpReq.inputResponses, 'capital_question')
    if (answer.kind === 'sampling') return text(JSON.stringify(answer.result.content))
    return inputRequired({
      inputRequests: { capital_question: ask('What is the capital of France?') },
    })
  })
  server.registerTool(`${name}list_roots`, { description: 'Asks for roots.' }, ({ mcpReq }) => {
    const answer = inputResponse(mcpReq.inputResponses, 'client_roots')
    if (answer.kind === 'roots') return text(answer.roots.map((root) => root.uri).join(' '))
    return inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } })
  })
  addStatefulRounds(server, name)
  addCapabilityTool(server, name)
  server.registerTool('test_missing_capability', { description: 'Needs a model.' }, () =>
    inputRequired({ inputRequests: { answer: ask('Who are you?') } }),
  )
  server.registerTool('test_streaming_elicitation', { description: 'Asks.' }, (context) =>
    isAnswered(context, 'answer')
      ? text('Answered.')
      : inputRequired({ inputRequests: { answer: question('Who are you?', 'name') } }),
  )
}

function addStatefulRounds(server: McpServer, name: string): void {
  for (const tool of ['request_state', 'tampered_state']) {
    server.registerTool(`${name}${tool}`, { description: 'Keeps a state.' }, async (context) => {
      if (isAnswered(context, 'confirm') && context.mcpReq.requestState() !== undefined) {
        return text('state-ok')
      }
      return inputRequired({
        inputRequests: { confirm: question('Please confirm', 'ok', 'boolean') },
        requestState: await states.mint({ step: 1 }),
      })
    })
  }
  const several = { description: 'Several questions at once.' }
  server.registerTool(`${name}multiple_inputs`, several, async (context) => {
    const keys = ['user_name', 'greeting', 'client_roots']
    if (keys.every((key) => isAnswered(context, key))) return text('All questions are answered.')
    return inputRequired({
      inputRequests: {
        user_name: question('What is your name?', 'name'),
        greeting: ask('Generate a greeting', 50),
        client_roots: inputRequired.listRoots(),
      },
      requestState: await states.mint({ step: 1 }),
    })
  })
  const rounds = { description: 'One question after the other.' }
  server.registerTool(`${name}multi_round`, rounds, async (context) => {
    const step = context.mcpReq.requestState<{ step: number }>()?.step ?? 0
    if (step === 2 && isAnswered(context, 'step2')) return text('Both steps are done.')
    if (step === 1 && isAnswered(context, 'step1')) {
      return inputRequired({
        inputRequests: { step2: question('Step 2: What is your favorite color?', 'color') },
        requestState: await states.mint({ step: 2 }),
      })
    }
    return inputRequired({
      inputRequests: { step1: question('Step 1: What is your name?', 'name') },
      requestState: await states.mint({ step: 1 }),
    })
  })
}

const Able = z.looseObject({
  elicitation: z.unknown().optional(),
  sampling: z.unknown().optional(),
})

/** Asks only what the client said it can answer. */
function addCapabilityTool(server: McpServer, name: string): void {
  server.registerTool(`${name}capabilities`, { description: 'Asks what it may.' }, (context) => {
    const envelope: Record<string, unknown> = { ...context.mcpReq.envelope }
    const able = Able.parse(envelope[CLIENT_CAPABILITIES_META_KEY] ?? {})
    const keys = ['by_person', 'by_model']
    if (keys.some((key) => isAnswered(context, key))) return text('Answered.')
    const inputRequests = {
      ...(able.elicitation === undefined ? {} : { by_person: question('Who?', 'name') }),
      ...(able.sampling === undefined ? {} : { by_model: ask('Who?') }),
    }
    if (Object.keys(inputRequests).length === 0) return text('Nobody can be asked.')
    return inputRequired({ inputRequests })
  })
}
