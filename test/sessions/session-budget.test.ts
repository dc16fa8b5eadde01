import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ServedSessions } from './served-sessions.ts'

let served: ServedSessions
beforeEach(() => {
  served = new ServedSessions()
})
afterEach(() => served.close())

const work = {
  id: 'work',
  initial: 'open',
  states: { open: { on: { DONE: 'end' } }, end: { type: 'final' } },
}
const look = { tool: 'list_files', arguments: {} }
const paid = [look, { usage: { cost_usd: 0.02 } }]
const turns = Array.from({ length: 9 }, () => paid)

async function save(policy: object, name = 'models') {
  const saved = await served.ask('PUT', `/api/policies/${name}`, { policy })
  expect(saved.status, JSON.stringify(saved.body)).toBe(200)
}

async function begin(more: object = { workflow: 'work' }) {
  await served.ask('PUT', '/api/workflows/work', work)
  const id = await served.start(turns, more)
  await served.say(id)
  await served.until(id, 'ready')
  return id
}

const limit = (capability: string, max_usd: number) => ({
  allow: [{ capability, budget_limit: { max_usd, period: 'monthly' } }],
})

describe('a budget of a policy', () => {
  test.each(['model:*', 'model:scripted:*', '*'])(
    'PO-9, SE-5b: %s holds what the models of sessions cost, over all of them',
    async (capability) => {
      await served.open()
      await save(limit(capability, 0.05))
      const id = await begin()
      const { lastError, costUsd, state, retries } = await served.session(id)
      expect([costUsd, state.turn.requests]).toEqual([0.06, 4])
      expect(lastError).toMatchObject({ code: 'model_denied', retryable: false })
      expect(lastError.message).toContain('$0.05')
      expect(lastError.message).toContain('$0.06')
      expect(lastError.message).toContain('Policy models: The monthly budget')
      // Nothing of the model was asked: not by another session either.
      const other = await begin()
      expect((await served.session(other)).costUsd).toBe(0)
      // A person who raises it lets the turn go on.
      await save(limit(capability, 0.09))
      expect(retries).toEqual([{ kind: 'llm' }])
      await served.ask('POST', `/api/sessions/${id}/retry`)
      await expect.poll(async () => (await served.session(id)).costUsd).toBe(0.1)
    },
  )

  test('PO-9: of a session without a run it denies, since nothing counts there', async () => {
    await served.open()
    await save(limit('model:*', 5))
    const { lastError, costUsd } = await served.session(await begin({}))
    expect(costUsd).toBe(0)
    expect(lastError.code).toBe('model_denied')
    expect(lastError.message).toContain('needs a run')
  })

  test('PO-9: a denied model is not asked, and other models are', async () => {
    await served.open()
    await save({ deny: [{ capability: 'model:openai:*' }, { capability: 'model:scripted:*' }] })
    const { lastError, costUsd } = await served.session(await begin())
    expect(costUsd).toBe(0)
    expect(lastError.code).toBe('model_denied')
    await save({ deny: [{ capability: 'model:openai:*' }] })
    const id = await begin()
    expect((await served.session(id)).costUsd).toBeCloseTo(0.18)
  })

  test('PO-9: rules about every tool say nothing of a model but for their budgets', async () => {
    await served.open()
    const tools = { allow: [{ capability: 'list_files' }, { capability: 'read' }] }
    await save({ ...tools, default: 'deny' })
    await save(
      { allow: [{ capability: '*', rate_limit: { max_calls: 99, window_seconds: 60 } }] },
      'more',
    )
    const id = await begin()
    expect((await served.session(id)).costUsd).toBeCloseTo(0.18)
  })
})

test.each([
  [{ ask: [{ capability: 'model:*' }] }, 'nobody can be asked'],
  [{ allow: [{ capability: 'model:*', rate_limit: { max_calls: 1, window_seconds: 1 } }] }, 'rate'],
])('PO-9: %j is refused when it is saved', async (policy, why) => {
  await served.open()
  const saved = await served.ask('PUT', '/api/policies/models', { policy })
  expect(saved.status).toBe(422)
  expect(JSON.stringify(saved.body)).toContain(why)
})
