import { startFakeModel } from '../support/fake-anthropic.ts'
import { startFakeChat } from '../support/fake-openai-chat.ts'
import { startFakeResponses } from '../support/fake-openai-responses.ts'

export const taskWires = ['anthropic', 'openai', 'openai-responses'] as const
export type TaskWire = (typeof taskWires)[number]

/** One step of the task, in the order of the person's words: what the model does about it. */
export const special = { hook: 5, approval: 10, interruption: 15, kill: 20 } as const

type Reply = { readonly text: string } | { readonly tool: string; readonly input: object }

export interface TaskModel {
  /** The options of a session that talks to it. */
  readonly options: object
  /** Requests of the conversation; those for a summary are not among them. */
  readonly requests: () => number
  /** Requests that wait for ever, by step: the one that is interrupted, the one that is cut off. */
  readonly waiting: ReadonlySet<number>
  close(): Promise<void>
}

/**
 * A model that works on a task by what it reads alone: the same conversation gets the same answer,
 * whoever asks again after a crash.
 */
export async function startTaskModel(wire: TaskWire): Promise<TaskModel> {
  const waiting = new Set<number>()
  let requests = 0
  const think = (conversation: readonly object[], tools: number): Promise<readonly Reply[]> => {
    if (tools === 0) return Promise.resolve([{ text: 'ok' }])
    requests += 1
    return answerTo(JSON.stringify(conversation), waiting)
  }
  const turns = <Turn>(turn: Turn): Turn[] => Array.from({ length: 500 }, () => turn)
  const started = async () => {
    switch (wire) {
      case 'anthropic': {
        const fake = await startFakeModel(
          turns(({ messages, tools }) => think(messages, tools.length)),
        )
        return { ...fake, url: `${fake.url}/v1`, model: 'claude-sonnet-4-5' }
      }
      case 'openai': {
        const fake = await startFakeChat(
          turns(({ messages, tools }) => think(messages, tools.length)),
        )
        return { ...fake, model: 'gpt-5.2' }
      }
      case 'openai-responses': {
        const fake = await startFakeResponses(
          turns(({ input, tools }) => think(input, tools.length)),
        )
        return { ...fake, model: 'gpt-5.2' }
      }
    }
  }
  const { url, model, close } = await started()
  return {
    options: { provider: wire, model, base_url: url },
    requests: () => requests,
    waiting,
    close,
  }
}

async function answerTo(text: string, waiting: Set<number>): Promise<readonly Reply[]> {
  const words = [...text.matchAll(/step (\d+):/g)].at(-1)
  const step = Number(words?.[1])
  const after = text.slice(words?.index ?? 0)
  if (after.includes('[STATEWRIGHT] A person approved')) return [{ text: 'It was approved.' }]
  const results = [...after.matchAll(/"tool_result"|"role":"tool"|"function_call_output"/g)].length
  if (step === special.interruption) return wait(step, waiting)
  if (results === 0) return [callOf(step)]
  if (step === special.kill && !waiting.has(step)) return wait(step, waiting)
  return [{ text: step === special.approval ? 'I wait for you.' : `Step ${step} is done.` }]
}

function callOf(step: number): Reply {
  if (step === special.hook) {
    return { tool: 'write_file', input: { path: `note-${step}.md`, content: 'written' } }
  }
  if (step === special.approval) {
    return { tool: 'statewright_transition', input: { event: 'SHIP' } }
  }
  return { tool: 'read_file', input: { path: 'notes.txt' } }
}

function wait(step: number, waiting: Set<number>): Promise<never> {
  waiting.add(step)
  return new Promise(() => {})
}
