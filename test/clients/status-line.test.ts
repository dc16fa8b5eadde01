import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ChildResult, runProgram } from '../../packages/server/testing/child.ts'
import { type GuardedHome, openGuardedHome, planThenWrite } from './guarded-home.ts'

const limits = { timeout: 60_000 }
let guarded: GuardedHome

const settingsFile = () => join(guarded.home, '.claude', 'settings.json')

function installedLine(): string {
  return JSON.parse(readFileSync(settingsFile(), 'utf8')).statusLine.command
}

function show(line: string): Promise<ChildResult> {
  const input = JSON.stringify({ hook_event_name: 'Status', session_id: 'ses', cwd: guarded.work })
  const options = { cwd: guarded.work, environment: { PATH: '/usr/bin:/bin' }, input }
  return runProgram('/bin/sh', ['-c', line], options)
}

describe('the status line of Claude Code', limits, () => {
  beforeAll(async () => {
    guarded = await openGuardedHome('status')
  }, limits.timeout)
  afterAll(() => guarded.close())

  test('a status line of the person stays theirs', async () => {
    const theirs = '{"statusLine": {"type": "command", "command": "date"}}\n'
    mkdirSync(join(guarded.home, '.claude'))
    writeFileSync(settingsFile(), theirs)
    expect((await guarded.command(['install', 'claude-code', '--user', '--yes'])).code).toBe(0)
    expect(installedLine()).toBe('date')
    expect((await guarded.command(['uninstall', 'claude-code', '--user', '--yes'])).code).toBe(0)
    expect(readFileSync(settingsFile(), 'utf8')).toBe(theirs)
  })

  test('ours shows the phase of the session, and never stops the client', async () => {
    writeFileSync(settingsFile(), '{}\n')
    expect((await guarded.command(['install', 'claude-code', '--user', '--yes'])).code).toBe(0)
    const line = installedLine()
    expect(await show(line)).toMatchObject({ code: 0, stdout: '' })
    const started = { workflow: planThenWrite.id, session: 'ses' }
    expect((await guarded.server.ask('POST', '/api/runs', started)).status).toBe(201)
    expect(await show(line)).toMatchObject({ code: 0, stdout: 'statewright: planning\n' })
    await guarded.server.kill('SIGKILL')
    const dead = 'statewright: no answer, tool calls are denied\n'
    expect(await show(line)).toMatchObject({ code: 0, stdout: dead })
  })
})
