import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { endpoints, type Session } from '@statewright/core/wire'
import { expect, vi } from 'vitest'
import type { Walk } from '../walk.ts'

/** A command that is too slow at first, and a change after it, which the hook does not like. */
const turns = [
  [
    { text: 'I run the slow check.' },
    { tool: 'bash', arguments: { command: 'test -f go || sleep 5', timeout_ms: 200 } },
  ],
  [{ tool: 'write_file', arguments: { path: 'note.md', content: 'done' } }],
  [{ text: 'It is written.' }, { usage: { input_tokens: 9, output_tokens: 2 } }],
  [{ tool: 'bash', arguments: { command: 'sleep 30' } }],
  [{ error: { code: 'down', message: 'model is down', retryable: false } }],
]

/** The hook of the server, which is content once there is a file called `formatted`. */
export const hooks = [
  {
    name: 'format',
    command: ['sh', '-c', 'test -f formatted'],
    failure_policy: { type: 'fail_session' },
  },
]

/** A session whose tool and hook fail, and are run again by a person. */
export async function sessionSteps(walk: Walk): Promise<void> {
  const body = { harness: 'scripted', projectPath: walk.workspace, options: { script: { turns } } }
  const { sessionId: id } = await walk.call(endpoints.startSession, { body })
  await until(walk, id, ({ kind }) => kind === 'ready')
  await walk.call(endpoints.sendInput, { params: { id }, body: { text: 'Go on.' } })
  const tool = await untilRetry(walk, id, 'tool')
  writeFileSync(join(walk.workspace, 'go'), '')
  await walk.call(endpoints.retryTool, { params: { id, run: tool } })
  const hook = await untilRetry(walk, id, 'hook')
  writeFileSync(join(walk.workspace, 'formatted'), '')
  await walk.call(endpoints.retryHook, { params: { id, run: hook } })
  const { conversation } = await until(walk, id, ({ kind }) => kind === 'ready')
  expect(new Set(conversation.map(({ role }) => role))).toEqual(
    new Set(['user', 'assistant', 'tool']),
  )
  await walk.call(endpoints.compactSession, { params: { id } })
  const { state, conversation: shorter } = await until(walk, id, ({ kind }) => kind === 'ready')
  expect(shorter.at(-1)).toMatchObject({ role: 'compaction', how: 'summary' })
  expect(state.context).toMatchObject({ windowTokens: 128_000 })
  const { sessions } = await walk.as('person').call(endpoints.listSessions, { query: { limit: 5 } })
  expect(sessions.map(({ sessionId }) => sessionId)).toEqual([id])
  await talkSteps(walk, id)
  await walk.call(endpoints.stopSession, { params: { id }, body: { reason: 'done' } })
  await until(walk, id, ({ kind }) => kind === 'stopped')
  await walk.call(endpoints.resumeSession, { params: { id } })
  await until(walk, id, ({ kind }) => kind === 'ready')
  await walk.call(endpoints.editSession, { params: { id }, body: { title: 'A walk' } })
  await walk.call(endpoints.stopSession, { params: { id }, body: {} })
  await until(walk, id, ({ kind }) => kind === 'stopped')
  await walk.call(endpoints.deleteSession, { params: { id } })
}

/** The person speaks while it works, takes some of it back, and asks a model again. */
async function talkSteps(walk: Walk, id: string): Promise<void> {
  await walk.call(endpoints.sendInput, { params: { id }, body: { text: 'Wait.' } })
  await until(walk, id, ({ kind }) => kind === 'executing_tools')
  const body = { text: 'And then this.', when: 'queue' } as const
  const { state } = await walk.call(endpoints.sendInput, { params: { id }, body })
  const message = state.queue[0]?.messageId ?? ''
  await walk.call(endpoints.withdrawInput, { params: { id, message } })
  await walk.call(endpoints.interruptSession, { params: { id } })
  await walk.call(endpoints.sendInput, { params: { id }, body: { text: 'Break.' } })
  await until(walk, id, ({ retries }) => retries.some(({ kind }) => kind === 'llm'))
  await walk.call(endpoints.retrySession, { params: { id } })
  await until(walk, id, ({ kind }) => kind === 'ready')
}

async function untilRetry(walk: Walk, id: string, kind: 'tool' | 'hook'): Promise<string> {
  const { retries } = await until(walk, id, (now) => now.retries.some((one) => one.kind === kind))
  const found = retries.find((one) => one.kind === kind)
  return found !== undefined && 'runId' in found ? found.runId : ''
}

function until(walk: Walk, id: string, holds: (now: Session) => boolean): Promise<Session> {
  return vi.waitFor(
    async () => {
      const now = await walk.as('person').call(endpoints.getSession, { params: { id } })
      if (!holds(now)) throw new Error(`the session is ${now.kind}`)
      return now
    },
    { timeout: 60_000, interval: 50 },
  )
}
