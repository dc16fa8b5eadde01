import { describe, expect, test } from 'vitest'
import { clientLines, type Finding } from './installed-clients.ts'

const whole: Finding = { check: 'canary', status: 'ok', message: 'It was denied.' }
const stale: Finding = { check: 'entries', status: 'warning', message: 'Old.' }
const gone: Finding = {
  check: 'settings',
  status: 'broken',
  message: 'Missing.',
  next: 'run "statewright install gemini --user" again.',
}

function examined(client: string, findings: readonly Finding[]) {
  return { client, scope: 'user', url: 'http://127.0.0.1:1', findings, examined_at: 5 }
}

describe('installed clients', () => {
  test('stand with what is wrong first, and the command that mends it', () => {
    const lines = clientLines(
      [
        { client: 'codex', hooks: 3, last_seen_at: '1970-01-01T00:00:00.007Z' },
        { client: 'cursor', hooks: 1, last_seen_at: '1970-01-01T00:00:00.008Z' },
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
