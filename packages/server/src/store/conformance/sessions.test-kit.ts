import { type AgentMessage, agentError, initialAgentState } from '@statewright/core/internal'
import { describe, expect, test } from 'vitest'
import type { NewSession, SessionBatch } from '../session-store.ts'
import { hostileTexts, type OpenForTest } from './story.test-kit.ts'

/** Agent sessions: how each stands, what was told of it, and what was said in it. */
export function sessionTests(open: OpenForTest): void {
  describe('agent sessions', () => {
    test('SE-9: a step is kept with its updates, messages and state, over a restart', async () => {
      const { store, reopen } = await open()
      await store.sessions.create(session())
      const output: AgentMessage = { role: 'user', messageId: 'm1', content: 'go' }
      const state = { ...initialAgentState('sess_1'), kind: 'ready' as const, retries: 2 }
      expect(await store.sessions.append('sess_1', batch({ state, messages: [output] }))).toBe(true)
      await store.close()
      const again = await reopen()
      expect(await again.sessions.load('sess_1')).toEqual({
        ...session(),
        state,
        kind: 'ready',
        updatedAt: 200,
        place: 2,
        messageCount: 1,
        costMicros: 7,
        title: null,
      })
      expect(await again.sessions.messages('sess_1')).toEqual([output])
      const updates = await again.sessions.events('sess_1', { after: 0, limit: 10 })
      expect(updates).toEqual(batch().updates)
      expect(await again.sessions.events('sess_1', { after: 1, limit: 10 })).toHaveLength(1)
      expect(await again.sessions.load('sess_2')).toBeUndefined()
    })

    test('SE-9: who writes from an old place writes nothing at all', async () => {
      const { store } = await open()
      await store.sessions.create(session())
      expect(await store.sessions.append('sess_1', batch())).toBe(true)
      const late = batch({ messages: [{ role: 'user', messageId: 'm2', content: 'late' }] })
      expect(await store.sessions.append('sess_1', late)).toBe(false)
      expect(await store.sessions.messages('sess_1')).toEqual([])
      const unknown = await store.sessions.append('sess_none', batch())
      expect(unknown).toBe(false)
    })

    test('SE-18: a session of a dead node is taken once, and the dead write no more', async () => {
      const { store } = await open()
      await store.sessions.create(session({ node: 'dead' }))
      await store.sessions.create(session({ sessionId: 'sess_2', node: 'dead' }))
      await store.sessions.create(session({ sessionId: 'sess_3', node: 'me' }))
      const stopped = { ...initialAgentState('sess_2'), kind: 'stopped' as const }
      await store.sessions.append('sess_2', batch({ node: 'dead', state: stopped }))
      const orphan = { sessionId: 'sess_1', node: 'dead', harness: 'scripted', projectPath: '/p' }
      expect(await store.nodes.orphans('me', 10)).toEqual([{ ...orphan, mark: null }])
      expect(await store.nodes.claim('sess_1', 'other', 'me')).toBe(false)
      const claims = ['me', 'you', 'they'].map((to) => store.nodes.claim('sess_1', 'dead', to))
      expect((await Promise.all(claims)).filter(Boolean)).toHaveLength(1)
      const node = (await store.sessions.load('sess_1'))?.node ?? ''
      expect(await store.sessions.append('sess_1', batch({ node: 'dead' }))).toBe(false)
      expect(await store.sessions.append('sess_1', batch({ node }))).toBe(true)
      expect(await store.nodes.orphans(node, 10)).not.toContainEqual(
        expect.objectContaining({ sessionId: 'sess_1' }),
      )
    })

    test('SE-9: many updates of one step and hostile texts are kept as they are', async () => {
      const { store } = await open()
      await store.sessions.create(session())
      const updates = Array.from({ length: 1203 }, (_, at) => ({
        place: at + 1,
        channel: 'agent:stream_event' as const,
        body: JSON.stringify({ at }),
      }))
      const messages = hostileTexts.map(
        (content): AgentMessage => ({ role: 'user', messageId: 'm', content }),
      )
      expect(await store.sessions.append('sess_1', batch({ updates, messages }))).toBe(true)
      expect(await store.sessions.messages('sess_1')).toEqual(messages)
      const page = await store.sessions.events('sess_1', { after: 1000, limit: 1000 })
      expect(page.map(({ place }) => place)).toEqual(
        Array.from({ length: 203 }, (_, at) => at + 1001),
      )
    })

    test('SE-14: lists show the newest first, by owner, by node and by life', async () => {
      const { store } = await open()
      await store.sessions.create(session({ sessionId: 'sess_1' }))
      await store.sessions.create(session({ sessionId: 'sess_2', owner: 'eve' }))
      await store.sessions.create(session({ sessionId: 'sess_3', node: 'other' }))
      const state = { ...initialAgentState('sess_1'), kind: 'stopped' as const }
      await store.sessions.append('sess_1', batch({ state }))
      const ids = async (filter: { owner?: string; node?: string; isLive?: true }) =>
        (await store.sessions.list({ limit: 10, ...filter })).map(({ sessionId }) => sessionId)
      expect(await ids({})).toEqual(['sess_3', 'sess_2', 'sess_1'])
      expect(await ids({ owner: 'eve' })).toEqual(['sess_2'])
      expect(await ids({ node: 'local', isLive: true })).toEqual(['sess_2'])
      expect(await store.sessions.list({ limit: 1 })).toHaveLength(1)
    })

    test('SE-14: a session is renamed, and removed with all that was said in it', async () => {
      const { store } = await open()
      const words: AgentMessage = { role: 'user', messageId: 'm1', content: 'go' }
      for (const sessionId of ['sess_1', 'sess_2']) {
        await store.sessions.create(session({ sessionId }))
        await store.sessions.append(sessionId, batch({ messages: [words] }))
      }
      await store.sessions.rename('sess_1', 'the login')
      expect((await store.sessions.list({ limit: 9 })).map(({ title }) => title)).toEqual([
        null,
        'the login',
      ])
      await store.sessions.remove('sess_1')
      expect(await store.sessions.load('sess_1')).toBeUndefined()
      expect(await store.sessions.messages('sess_1')).toEqual([])
      expect(await store.sessions.events('sess_1', { after: 0, limit: 9 })).toEqual([])
      expect(await store.sessions.messages('sess_2')).toEqual([words])
    })

    test('SE-14: a list tells of each session without its state', async () => {
      const { store } = await open()
      await store.sessions.create(session())
      const lastError = agentError('harness_failed', 'It did not start.')
      const state = { ...initialAgentState('sess_1'), kind: 'error' as const, lastError }
      await store.sessions.append('sess_1', batch({ state }))
      const { state: _state, options: _options, ...columns } = session()
      const rest = { updatedAt: 200, place: 2, messageCount: 0, costMicros: 7, title: null }
      const summary = { ...columns, ...rest, kind: 'error', lastError }
      expect(await store.sessions.list({ limit: 1 })).toEqual([summary])
    })
  })
}

export function newSession(sessionId: string, node: string): NewSession {
  return session({ sessionId, node })
}

function session(fields: Partial<NewSession> = {}): NewSession {
  const sessionId = fields.sessionId ?? 'sess_1'
  return {
    sessionId,
    node: 'local',
    owner: 'ada',
    role: 'agent',
    harness: 'scripted',
    projectPath: '/p',
    options: '{}',
    runId: null,
    workflow: null,
    createdAt: 100,
    state: initialAgentState(sessionId),
    ...fields,
  }
}

function batch(fields: Partial<SessionBatch> = {}): SessionBatch {
  return {
    node: 'local',
    after: 0,
    updates: [
      { place: 1, channel: 'agent:state_event', body: '{"type":"state_changed"}' },
      { place: 2, channel: 'agent:stream_event', body: '{"type":"text_delta"}' },
    ],
    messages: [],
    messageCount: 0,
    state: initialAgentState('sess_1'),
    updatedAt: 200,
    costMicros: 7,
    answered: [],
    ...fields,
  }
}
