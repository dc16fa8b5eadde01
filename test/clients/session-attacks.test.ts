import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { AgentSessions, acpProgram, callsIn } from './agent-sessions.ts'
import { claudeProgram, isClaudeInstalled } from './claude-client.ts'
import { isDriven, planThenWrite } from './guarded-home.ts'

const hasClaude = isDriven('Claude Code', { isInstalled: isClaudeInstalled() })
const hasAcp = isDriven('ACP agent', { isInstalled: existsSync(acpProgram) })

let sessions: AgentSessions
beforeEach(() => {
  sessions = new AgentSessions()
})
afterEach(() => sessions.close())

const limits = { timeout: 120_000 }
const done = { type: 'final' }
const inWork = (name: string) => join(sessions.work, name)

describe.skipIf(!hasClaude)('a session of the real Claude Code', limits, () => {
  const workflow = planThenWrite.id

  test('SE-11: is held by hooks that all settings switch off', async () => {
    const off = JSON.stringify({ disableAllHooks: true })
    for (const folder of [sessions.work, sessions.home]) {
      mkdirSync(join(folder, '.claude'))
      writeFileSync(join(folder, '.claude', 'settings.json'), off)
      writeFileSync(join(folder, '.claude', 'settings.local.json'), off)
    }
    await sessions.begin([sessions.write('early.txt'), [{ text: 'Done.' }]], planThenWrite)
    const id = await sessions.start('claude-code', { workflow })
    expect(callsIn(await sessions.until(id, 'processing_response'))).toEqual(['Write error'])
    expect(existsSync(inWork('early.txt'))).toBe(false)
    expect(await sessions.history(id)).toContain('call_decided deny')
  })

  test('SE-12b: that runs a tool past its hooks is ended at once', async () => {
    // As if a version of the client no longer took our settings.
    const folder = join(sessions.home, 'bin')
    mkdirSync(folder)
    const lines = [
      '#!/bin/bash',
      'given=()',
      'while (($#)); do',
      '  if [[ $1 == --settings ]]; then shift 2; else given+=("$1"); shift; fi',
      'done',
      `exec ${claudeProgram} "\${given[@]}"`,
    ]
    writeFileSync(join(folder, 'claude'), lines.join('\n'), { mode: 0o755 })
    const script = [sessions.write('first.txt'), sessions.write('second.txt'), [{ text: 'Done.' }]]
    await sessions.begin(script, planThenWrite, [folder])
    const id = await sessions.start('claude-code', { workflow })
    await sessions.until(id, 'error')
    const { lastError } = await sessions.ask(`/api/sessions/${id}`)
    expect(lastError?.message).toMatch(/^unjudged_call: /)
    expect(existsSync(inWork('second.txt'))).toBe(false)
    expect(await sessions.history(id)).toEqual(['run_started'])
  })
})

describe.skipIf(!hasAcp)('a session of a real ACP agent', limits, () => {
  test('SE-12b: that makes a forbidden call without asking is ended', async () => {
    const states = { working: { allowed_tools: ['Write'], on: { DONE: 'done' } }, done }
    const noReading = { id: 'no-reading', initial: 'working', states }
    writeFileSync(inWork('secret.txt'), 'secret')
    const read = { tool: 'Read', input: { file_path: inWork('secret.txt') } }
    const script = [[read], sessions.write('later.txt'), [{ text: 'Done.' }]]
    await sessions.begin(script, noReading)
    const session = await sessions.start('acp', { workflow: noReading.id })
    expect(callsIn(await sessions.until(session, 'error'))).toEqual(['Read ok'])
    const { lastError } = await sessions.ask(`/api/sessions/${session}`)
    expect(lastError?.message).toMatch(/^unjudged_call: /)
    expect(existsSync(inWork('later.txt'))).toBe(false)
    expect(await sessions.history(session)).toContain('call_decided deny')
  })
})
