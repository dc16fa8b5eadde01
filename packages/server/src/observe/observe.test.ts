import { Registry } from 'prom-client'
import { describe, expect, test } from 'vitest'
import { shortLine } from './log-lines.ts'
import { createLog } from './logger.ts'
import { startTelemetry } from './telemetry.ts'
import { inSpan } from './traces.ts'

function capture(): { lines: string[]; log: ReturnType<typeof createLog> } {
  const lines: string[] = []
  return {
    lines,
    log: createLog({ destination: { write: (line: string) => void lines.push(line) } }),
  }
}

describe('the log', () => {
  test('is one JSON object per line', () => {
    const { lines, log } = capture()
    log.warn({ run: 'run_1' }, 'something\nhappened')
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      name: 'statewright',
      run: 'run_1',
      msg: 'something\nhappened',
    })
  })

  test('holds no secret, by its name or by its look', () => {
    const { lines, log } = capture()
    const token = `sw_person_${'a'.repeat(43)}`
    const [key, cookie, pin] = ['key-in-header', 'cookie-of-login', 'pin-of-person']
    log.info({ authorization: `Bearer ${key}`, request: { cookie, pin } }, `got ${token}`)
    log.error({ err: new Error(`failed with ${token}`) }, 'failed')
    const text = lines.join('')
    for (const secret of [key, cookie, pin, token]) expect(text).not.toContain(secret)
    expect(text).toContain('[redacted]')
  })
})

describe('traces', () => {
  test('cost nothing and change nothing when none are configured', async () => {
    expect(await inSpan('check', {}, async () => 42)).toBe(42)
    await expect(inSpan('check', {}, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    const { lines, log } = capture()
    await (await startTelemetry({}, new Registry(), log))()
    expect(lines).toEqual([])
  })

  test('say so when the address they should go to is none', async () => {
    const { lines, log } = capture()
    await startTelemetry({ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector' }, new Registry(), log)
    expect(lines.join('')).toContain('OTEL_EXPORTER_OTLP_ENDPOINT is not an address')
  })
})

test('a log line for a terminal is a sentence, without a stack or anything to obey', () => {
  const at = new Date(2026, 0, 31, 12, 5, 9).getTime()
  const line = (facts: object) =>
    shortLine(JSON.stringify({ time: at, name: 'statewright', ...facts }))
  expect(line({ level: 30, server: 'tickets', msg: 'The MCP server tickets is lost.' })).toBe(
    '12:05:09 info The MCP server tickets is lost.',
  )
  const err = { message: 'disk\u001b[2J full', stack: 'Error: disk full\n    at a.ts:1:1' }
  expect(line({ level: 50, run: 'run_1', err, msg: 'the store failed' })).toBe(
    '12:05:09 error the store failed: disk\uFFFD[2J full (run=run_1)',
  )
  expect(shortLine('no JSON\n')).toBe('no JSON')
})
