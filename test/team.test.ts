import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { variableNames } from '../packages/server/src/config/environment.ts'
import { createRuntime } from '../packages/server/src/runtime/create-runtime.ts'
import { transition } from '../packages/server/src/runtime/runs/change-run.ts'
import { defaultSettings } from '../packages/server/src/runtime/settings.ts'
import { openStore } from '../packages/server/src/store/open.ts'
import { agent, ann, save, start } from '../packages/server/testing/runtime.ts'
import { patience, stopped, Testbed } from '../packages/server/testing/testbed.ts'

const guide = readFileSync(new URL('../docs/guide/team.md', import.meta.url), 'utf8')
const blocks = [...guide.matchAll(/```(\w+)\n([\s\S]*?)```/g)].map(([, , text = '']) => text)
const testbed = new Testbed()
const data = join(testbed.folder, 'data')
afterAll(() => testbed.close())

const look = {
  id: 'look',
  initial: 'a',
  states: { a: { allowed_tools: ['Read'], on: { B: 'b' } }, b: { type: 'final' } },
}
let old: string
let live: string

/** What a server of some months ago left behind: a run that ended then, and one that goes on. */
beforeAll(async () => {
  mkdirSync(data)
  const store = await openStore({ folder: data, durability: 'crash' })
  let now = Date.now() - 100 * 86_400_000
  let ids = 0
  const clock = { now: () => now, newId: (prefix: string) => `${prefix}_${++ids}` }
  const runtime = createRuntime({ store, clock, settings: defaultSettings })
  await save(runtime, look)
  old = await start(runtime, agent, { workflow: 'look', session: 's1' })
  expect((await transition(runtime, agent, { run: old, event: 'B' })).ok).toBe(true)
  now = Date.now()
  live = await start(runtime, ann, { workflow: 'look' })
  await store.close()
  writeFileSync(join(testbed.project, 'statewright.yaml'), 'keep: 90d\n')
})

/** A server on the data, and commands to it. */
async function serverOn(folder: string) {
  const { ready, child } = await testbed.up('--data', folder, '--test-person')
  const person = { STATEWRIGHT_URL: ready.url, STATEWRIGHT_TOKEN: ready.person_token ?? '' }
  const run = (...args: string[]) => testbed.hosted(args, person)
  const decision = async (tool: string) => {
    const body = JSON.stringify({ run: live, tool, input: { file_path: '/srv/a' } })
    const headers = {
      authorization: `Bearer ${ready.person_token}`,
      'content-type': 'application/json',
    }
    const answer = await fetch(`${ready.url}/api/check`, { method: 'POST', headers, body })
    const { decision, code } = (await answer.json()) as { decision: string; code?: string }
    return [decision, code]
  }
  return { run, decision, stop: () => stopped(child, 'SIGTERM') }
}

describe('what the page for teams says', () => {
  test('AR-1, AR-4, AR-5: histories are archived, backed up, restored and proven', {
    timeout: 240_000,
  }, async () => {
    const first = await serverOn(data)
    const archived = async () =>
      JSON.parse((await first.run('archive', 'list', '--json')).out).archived
    await expect.poll(archived, { timeout: 120_000, interval: 1000 }).toBe(1)
    expect((await first.run('archive', 'due', '--json')).out).toContain('"total":0')
    const shown = await first.run('run', 'show', old)
    expect([shown.exit, shown.out]).toEqual([
      0,
      expect.stringMatching(/history: The history of run .+ was archived on \d{4}-\d\d-\d\d\.\n/),
    ])
    const before = [await first.decision('Read'), await first.decision('Write')]
    expect(before).toMatchObject([
      ['allow', undefined],
      ['deny', 'tool_not_allowed'],
    ])
    expect(await first.stop()).toBe(0)

    const restored = join(testbed.folder, 'restored')
    cpSync(data, restored, { recursive: true })
    rmSync(data, { recursive: true })
    const second = await serverOn(restored)
    const verified = await second.run('run', 'verify')
    expect([verified.exit, verified.talk]).toEqual([0, '2 verified, 0 broken.\n'])
    expect([await second.decision('Read'), await second.decision('Write')]).toEqual(before)
    await second.stop()
    const proven = await testbed.hosted(['archive', 'verify', join(restored, 'archive')])
    expect([proven.exit, proven.out]).toEqual([0, expect.stringContaining(`${old}  intact, `)])
    const none = await testbed.hosted(['archive', 'verify', testbed.project])
    expect([none.exit, none.talk.split(':')[0]]).toEqual([4, 'file_unreadable'])
  })

  test('the compose file names what the image and the server know', () => {
    const text = blocks.find((block) => block.startsWith('services:')) ?? ''
    const { services, volumes } = parse(text)
    const image = readFileSync(new URL('../Containerfile', import.meta.url), 'utf8')
    const { environment, volumes: mounts, ports } = services.statewright
    const names = Object.keys(environment).filter((name) => name.startsWith('STATEWRIGHT_'))
    for (const name of names) expect(variableNames).toContain(name.slice('STATEWRIGHT_'.length))
    expect(Object.keys(environment)).toContain('DATABASE_URL')
    for (const mount of [...mounts, ...services.db.volumes]) {
      const [from = '', to = ''] = mount.split(':')
      expect(from.startsWith('./') || Object.hasOwn(volumes, from)).toBe(true)
      if (mounts.includes(mount)) expect(image).toContain(to)
    }
    expect([ports, image]).toEqual([
      ['127.0.0.1:4747:4747'],
      expect.stringContaining('EXPOSE 4747'),
    ])
    expect(Object.keys(services)).toEqual(expect.arrayContaining(services.statewright.depends_on))
  })

  test('Prometheus reads the metrics as the example says', patience, async () => {
    const text = blocks.find((block) => block.startsWith('scrape_configs:')) ?? ''
    const [job] = parse(text).scrape_configs
    expect([job.authorization.type, job.static_configs[0].targets]).toEqual([
      'Bearer',
      ['statewright.example.com'],
    ])
    const create = blocks.find((block) => block.includes('--name prometheus')) ?? ''
    const watched = join(testbed.folder, 'watched')
    const { ready, child } = await testbed.up('--data', watched, '--test-person')
    const person = { STATEWRIGHT_URL: ready.url, STATEWRIGHT_TOKEN: ready.person_token ?? '' }
    const made = await testbed.hosted(create.trim().split(' ').slice(1), person)
    const headers = { authorization: `Bearer ${made.out.trim()}` }
    const answer = await fetch(ready.url + job.metrics_path, { headers })
    expect([answer.status, await answer.text()]).toEqual([
      200,
      expect.stringContaining('statewright_live_runs 0'),
    ])
    expect((await fetch(ready.url + job.metrics_path)).status).toBe(401)
    await stopped(child, 'SIGTERM')
  })

  test('the unit of systemd is one, and its flags are those of the command', patience, async () => {
    const unit = blocks.find((block) => block.startsWith('[Unit]')) ?? ''
    const command = /^ExecStart=\S+\/statewright (up .+)$/m.exec(unit)?.[1] ?? ''
    const { out } = await testbed.hosted(['up', '--help'])
    for (const [flag] of command.matchAll(/--[\w-]+/g)) expect(out).toContain(`${flag} `)
    const settings = unit.split('\n').filter((line) => line !== '' && !/^\[\w+\]$/.test(line))
    expect(settings.filter((line) => !/^[A-Z]\w+=.+$/.test(line))).toEqual([])
    const seconds = Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])
    // 1.5 s of notice and 20 s for calls that are under way (ND-4).
    expect(seconds).toBeGreaterThan(21.5)
    verifyUnit(unit)
  })
})

/** As systemd itself reads it, where its tool is there. */
function verifyUnit(unit: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'statewright-unit-'))
  try {
    const path = join(folder, 'statewright@4747.service')
    writeFileSync(path, unit.replace(/^ExecStart=\S+/m, `ExecStart=${process.execPath}`))
    const ran = spawnSync('systemd-analyze', ['verify', path], { encoding: 'utf8' })
    if (ran.error !== undefined) return
    const ours = ran.stderr.split('\n').filter((line) => line.includes('statewright@'))
    expect(ours).toEqual([])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
