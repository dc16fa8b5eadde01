import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { askHarness, contextOf, requestOf } from '../../../testing/harness.ts'
import { scriptedHarness } from './scripted.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'statewright-script-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const slept: number[] = []
const harness = scriptedHarness(async (ms) => {
  slept.push(ms)
})

const start = (script: object | string) =>
  harness.start(
    contextOf({ projectPath: folder, options: { script: JSON.parse(JSON.stringify(script)) } }),
  )

describe('the scripted harness', () => {
  test('SE-12: plays a file of turns: words, calls, delays and usage', async () => {
    writeFileSync(
      join(folder, 'play.yaml'),
      [
        'turns:',
        '  - - thinking: Hm.',
        '    - text: I look.',
        '    - delay_ms: 40',
        '    - {tool: read_file, arguments: {path: a.txt}, call_id: c1}',
        '    - usage: {input_tokens: 5, output_tokens: 7, cost_usd: 0.01, model: paper}',
        '  - - text: Done.',
      ].join('\n'),
    )
    const session = await start('play.yaml')
    expect(await askHarness(session, requestOf([{ user: 'go' }]))).toEqual([
      { type: 'thinking_delta', payload: { text: 'Hm.' } },
      { type: 'text_delta', payload: { text: 'I look.' } },
      {
        type: 'tool_call_completed',
        payload: { callId: 'c1', name: 'read_file', arguments: { path: 'a.txt' } },
      },
      {
        type: 'completed',
        payload: {
          finishReason: 'stop',
          inputTokens: 5,
          outputTokens: 7,
          costUsd: 0.01,
          model: 'paper',
        },
      },
    ])
    expect(slept).toEqual([40])
    const later = requestOf([{ user: 'go' }, { assistant: 'I look.' }])
    expect((await askHarness(session, later))[0]?.payload).toEqual({ text: 'Done.' })
    const over = requestOf([{ user: 'x' }, { assistant: '1' }, { assistant: '2' }])
    expect((await askHarness(session, over))[0]?.payload).toEqual({ text: 'The script has ended.' })
  })

  test('SE-5: errors and what comes at the next attempt are data', async () => {
    const error = { code: 'overloaded', message: 'Try later.', retryable: true }
    const session = await start({
      turns: [{ attempts: [[{ text: 'a' }, { error }], [{ text: 'b' }]] }],
    })
    const first = requestOf([{ user: 'go' }])
    expect(await askHarness(session, first)).toEqual([
      { type: 'text_delta', payload: { text: 'a' } },
      { type: 'error', payload: error },
    ])
    const again = await askHarness(session, { ...first, attempt: 2 })
    expect(again[0]?.payload).toEqual({ text: 'b' })
  })

  test('SE-7: says nothing more once it is stopped', async () => {
    const session = await start({ turns: [[{ text: 'a' }, { text: 'b' }]] })
    expect(await askHarness(session, requestOf([{ user: 'go' }]), AbortSignal.abort())).toEqual([])
  })

  test('SE-12: an end of the harness can be played', async () => {
    const codes: (number | null)[] = []
    const context = contextOf({ options: { script: { turns: [[{ exit: 3 }]] } } })
    const session = await harness.start({ ...context, exited: (code) => codes.push(code) })
    expect(await askHarness(session, requestOf([{ user: 'go' }]))).toEqual([])
    expect(codes).toEqual([3])
  })

  const wrong: readonly (readonly [string, object | string])[] = [
    ['a file outside of the project', '../play.yaml'],
    ['no file', 'none.yaml'],
    ['an unknown part', { turns: [[{ say: 'x' }]] }],
    ['no turns', {}],
  ]
  test.each(wrong)('SE-12: %s is refused at the start', async (_, script) => {
    await expect(start(script)).rejects.toThrow(/./)
  })
})
