import { afterEach, expect, test } from 'vitest'
import { ServedSessions } from './served-sessions.ts'

const sessions = new ServedSessions()
afterEach(() => sessions.close())

test('SE-13: a model that talks faster than its words are stored is heard to the end', async () => {
  const count = 10_000
  sessions.file('talk.json', { turns: [Array.from({ length: count }, () => ({ text: 'w' }))] })
  await sessions.open()
  const id = await sessions.start([], { options: { script: 'talk.json' } })
  await sessions.say(id)
  await sessions.until(id, 'ready')
  const { conversation, lastError, state } = await sessions.session(id)
  expect(lastError).toBeNull()
  expect(conversation.at(-1).content).toBe('w'.repeat(count))
  expect(state.turn.requests).toBe(1)
}, 60_000)
