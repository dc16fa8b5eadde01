import { afterEach, beforeEach, expect, test } from 'vitest'
import { ServedSessions } from './served-sessions.ts'

let sessions: ServedSessions
beforeEach(async () => {
  sessions = new ServedSessions()
  await sessions.open()
})
afterEach(() => sessions.close())

const shipping = {
  id: 'shipping',
  initial: 'work',
  states: {
    work: { on: { SHIP: { target: 'ship', requires_approval: true } } },
    ship: { on: { DONE: 'done' } },
    done: { type: 'final' },
  },
  meta: { approval_mode: 'ui' },
}
const wait = { timeout: 20_000, interval: 20 }

/** Answers what waits in the run of a session. */
async function approve(id: string): Promise<void> {
  const { runId } = await sessions.session(id)
  const path = `/api/approvals?status=waiting&run=${runId}`
  await expect
    .poll(async () => (await sessions.ask('GET', path)).body.approvals.length, wait)
    .toBe(1)
  const [approval] = (await sessions.ask('GET', path)).body.approvals
  const answer = `/api/approvals/${approval.approval_id}/approve`
  expect((await sessions.ask('POST', answer, { note: 'go ahead' })).status).toBe(200)
}

const inputs = async (id: string): Promise<string[]> =>
  (await sessions.session(id)).conversation.flatMap((one: { role: string; content: string }) =>
    one.role === 'user' ? [one.content] : [],
  )

test('SE-11b: an answer that a dead server could not tell is told by the next, once', async () => {
  await sessions.ask('PUT', '/api/workflows/shipping', shipping)
  const turns = [
    [{ tool: 'statewright_transition', arguments: { event: 'SHIP' } }],
    // At work when the person answers: the session would hear of it after its turn.
    { attempts: [[{ delay_ms: 600_000 }], [{ text: 'I wait.' }]] },
    [{ text: 'Shipped.' }],
  ]
  const id = await sessions.start(turns, { workflow: 'shipping' })
  await sessions.say(id)
  await approve(id)
  expect((await sessions.session(id)).kind).toBe('calling_llm')
  await sessions.shut()
  await sessions.open()
  const last = async () => (await sessions.session(id)).conversation.at(-1).content
  await expect.poll(last, wait).toBe('Shipped.')
  expect(await inputs(id)).toEqual([
    'go',
    '[STATEWRIGHT] A person approved SHIP and wrote: go ahead',
  ])
  // Heard once is heard: another start tells nothing.
  await sessions.shut()
  await sessions.open()
  await sessions.say(id, 'thanks')
  await sessions.until(id, 'ready')
  expect(await inputs(id)).toHaveLength(3)
}, 60_000)
