import type { ClientFinding, SeenClient } from '@statewright/core/wire'
import { describe, expect, test } from 'vitest'
import { clientLines } from './installed-clients.ts'

const whole: ClientFinding = { check: 'canary', status: 'ok', message: 'It was denied.' }
const stale: ClientFinding = { check: 'entries', status: 'warning', message: 'Old.' }
const gone: ClientFinding = {
  check: 'settings',
  status: 'broken',
  message: 'Missing.',
  next: 'run "statewright install gemini --user" again.',
}

function examined(client: string, findings: ClientFinding[]) {
  return { client, scope: 'user', url: 'http://127.0.0.1:1', findings, examined_at: 5 }
}

function seen(facts: Pick<SeenClient, 'client' | 'hooks' | 'last_seen_at'>): SeenClient {
  return { ...facts, sessions: 0, apart: null }
}

describe('installed clients', () => {
  test('stand with what is wrong first, and the command that mends it', () => {
    const lines = clientLines(
      [
        seen({ client: 'codex', hooks: 3, last_seen_at: 7 }),
        seen({ client: 'cursor', hooks: 1, last_seen_at: 8 }),
      ],
      [
        examined('codex', [whole]),
        examined('opencode', [whole, stale]),
        examined('gemini', [whole, stale, gone]),
      ],
    )
    expect(lines.map(({ client, health, command }) => [client, health, command])).toEqual([
      ['gemini', 'broken', 'statewright install gemini --user'],
      ['opencode', 'warning', 'statewright doctor opencode'],
      ['cursor', 'unknown', 'statewright doctor'],
      ['codex', 'sound', null],
    ])
    expect(lines.map(({ lastSeenAt, hooks }) => [lastSeenAt, hooks])).toEqual([
      [null, 0],
      [null, 0],
      [8, 1],
      [7, 3],
    ])
  })
})
