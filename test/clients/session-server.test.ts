import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Turn } from '../support/fake-anthropic.ts'
import { homeOf, running } from '../support/running.ts'
import { AgentSessions, acpProgram, callsIn, payloadsOf } from './agent-sessions.ts'
import { isClaudeInstalled } from './claude-client.ts'
import { isDriven, planThenWrite } from './guarded-home.ts'

const claude = isDriven('Claude Code', { isInstalled: isClaudeInstalled() })
const acp = isDriven('ACP agent', { isInstalled: existsSync(acpProgram) })

let sessions: AgentSessions
beforeEach(() => {
  sessions = new AgentSessions()
})
afterEach(() => sessions.close())

const inWork = (name: string) => join(sessions.work, name)

/** The server with our own tools has a name of its own in sessions of ACP agents. */
const ready: Turn = ({ messages, tools }) => {
  const listed = [...tools.map(({ name }) => name), JSON.stringify(messages)].join(' ')
  const tool = /mcp__statewright\w*?__statewright_transition/.exec(listed)?.[0] ?? 'none'
  return [{ tool, input: { event: 'READY' } }]
}

const limits = { timeout: 120_000 }
const agents = [
  {
    harness: 'claude-code',
    isRequested: claude,
    ends: { inputTokens: 60, outputTokens: 60, costUsd: expect.any(Number) },
  },
  { harness: 'acp', isRequested: acp, ends: { finishReason: 'end_turn' } },
]

describe.each(agents)('a session of $harness that a server started', limits, (agent) => {
  const { harness, isRequested, ends } = agent
  test.skipIf(!isRequested)(
    'SE-11, SE-12, SE-14: is held by its workflow, and its results count',
    async () => {
      const early = sessions.write('early.txt', 'I write.')
      const later = ['note.txt', 'some.env', 'later.txt'].map((name) => sessions.write(name))
      await sessions.begin([early, ready, ...later, [{ text: 'Done.' }]], planThenWrite)
      const id = await sessions.start(harness, { workflow: planThenWrite.id })
      const reported = await sessions.until(id, 'processing_response')
      expect(callsIn(reported)).toEqual([
        'Write error',
        expect.stringMatching(/__statewright_transition ok$/),
        'Write ok',
        'Write ok',
        'Write ok',
      ])
      const words = payloadsOf(reported, 'text_delta').map(({ text }) => text)
      expect(words.join('')).toBe('I write.Done.')
      expect(payloadsOf(reported, 'completed')).toEqual([expect.objectContaining(ends)])
      expect(JSON.stringify(sessions.model.requests[0]?.messages)).toContain('Phase: planning.')
      expect(existsSync(inWork('early.txt'))).toBe(false)
      expect(readFileSync(inWork('note.txt'), 'utf8')).toBe('written\n')
      const history = await sessions.history(id)
      expect(history.filter((entry) => entry === 'call_finished')).toHaveLength(3)
      expect(history.filter((entry) => entry === 'call_decided deny')).toHaveLength(1)
      expect(history).toContain('interrupted')
      expect(await sessions.ask(`/api/sessions/${id}/stop`, {})).toMatchObject({ sessionId: id })
      await sessions.until(id, 'stopped')
      expect(agentsLeft()).toEqual([])
    },
  )

  test.skipIf(!isRequested)('SE-7: stop ends all that it has started', async () => {
    const name = `started-${process.pid}-${Date.now()}`
    const child = `exec -a ${name} sleep 300`
    const command = `bash -c '${child}' & setsid bash -c '${child}' & ${child}`
    await sessions.begin([[{ tool: 'Bash', input: { command } }]], planThenWrite)
    const id = await sessions.start(harness, {})
    await expect.poll(() => running(name).length, { timeout: 60_000 }).toBe(3)
    await sessions.ask(`/api/sessions/${id}/stop`, {})
    await sessions.until(id, 'stopped')
    expect(running(name)).toEqual([])
    expect(agentsLeft()).toEqual([])
  })
})

/** Everything of this home but the server itself. */
function agentsLeft(): string[] {
  return running('').filter(
    (pid) =>
      homeOf(pid) === sessions.home &&
      !readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('statewright.mjs'),
  )
}
