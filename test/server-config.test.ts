import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { patience, stopped, Testbed, threeLines } from '../packages/server/testing/testbed.ts'

const testbed = new Testbed()
const config = join(testbed.project, 'statewright.yaml')
afterAll(() => testbed.close())

beforeAll(() => {
  writeFileSync(
    join(testbed.project, 'look.yaml'),
    `id: look
initial: a
states:
  a: { allowed_tools: [Read], on: { B: b } }
  b: { type: final }
`,
  )
})

describe('a server that cannot start says why in three lines', () => {
  test('a misspelt key', patience, async () => {
    writeFileSync(config, 'workflow: look\nstirct: true\n')
    const { exit, out, talk } = await testbed.run(['up', '--port', '0'])
    rmSync(config)
    expect([exit, out]).toEqual([2, ''])
    expect(talk.split('\n')[0]).toBe(
      'config_invalid: Unknown field "stirct". Did you mean "strict"?',
    )
    expect(talk).toContain(`  in: ${config}:2:1\n  next: `)
  })

  test('a key that nothing obeys yet', patience, async () => {
    writeFileSync(config, 'redact: [a]\n')
    const { exit, talk } = await testbed.run(['up', '--port', '0'])
    rmSync(config)
    expect([exit, talk.split(':')[0]]).toEqual([2, 'config_invalid'])
    expect(talk).toContain('"redact" is not supported yet')
  })

  test('a data folder that another server uses', patience, async () => {
    const { child, ready } = await testbed.up()
    const second = await testbed.run(['up', '--port', '0'])
    await stopped(child, 'SIGTERM')
    expect([second.exit, second.out]).toEqual([1, ''])
    expect(second.talk).toMatch(threeLines('store_unavailable'))
    expect(second.talk).toContain(ready.data)
    expect(second.talk).toContain(`already runs at ${ready.url} (process ${child.pid})`)
  })

  test('a damaged database, which is left as it is', patience, async () => {
    const data = join(testbed.folder, 'damaged')
    const file = join(data, 'statewright.db')
    mkdirSync(data)
    writeFileSync(file, 'this is no database, but somebody may still want it'.repeat(100))
    const before = readFileSync(file)
    const { exit, talk } = await testbed.run(['up', '--port', '0', '--data', data])
    expect(exit).toBe(1)
    expect(talk).toMatch(threeLines('store_unavailable'))
    expect(readFileSync(file).equals(before)).toBe(true)
  })
})

describe('a configuration that loosens', () => {
  test('SH-18a: holds nobody less at a start without live runs, until a person accepts', {
    timeout: 120_000,
  }, async () => {
    const looser = new Testbed()
    const file = join(looser.project, 'statewright.yaml')
    const rules = (tools: string) =>
      writeFileSync(
        join(looser.project, 'look.yaml'),
        `id: look
initial: a
states: { a: { allowed_tools: [${tools}], on: { B: b } }, b: { type: final } }
`,
      )
    const held = async (person: { STATEWRIGHT_TOKEN: string }) => {
      const shown = JSON.parse((await looser.hosted(['config', 'show', '--json'], person)).out)
      return { mode: shown.held.mode, strict: shown.held.strict, waits: shown.waiting !== null }
    }
    const up = async () => {
      const server = await looser.up('--test-person')
      const person = { STATEWRIGHT_TOKEN: server.ready.person_token ?? '' }
      return { ...server, person }
    }
    const workflow = 'workflow: look\ndefinitions: [look.yaml]\n'
    rules('Read')
    writeFileSync(file, `${workflow}strict: true\n`)
    const first = await up()
    expect(first.talk()).not.toContain('config accept')
    await stopped(first.child, 'SIGTERM')

    writeFileSync(file, `${workflow}mode: observe\n`)
    const second = await up()
    expect(second.talk()).toContain('The configuration was loosened (strict, mode).')
    expect(second.talk()).toContain('statewright config accept')
    expect(await held(second.person)).toEqual({ mode: 'enforce', strict: true, waits: true })
    await stopped(second.child, 'SIGTERM')

    // The rules in a file are configuration too; taking the rest back does not take them in.
    rules('Read, Bash')
    writeFileSync(file, `${workflow}strict: true\n`)
    const third = await up()
    expect(third.talk()).toContain('The rules have changed in look.')
    const rulesNow = async () =>
      (await looser.hosted(['workflow', 'show', 'look'], third.person)).out.includes('Bash')
    expect(await rulesNow()).toBe(false)
    // Whoever edits the file needs one command, and no restart.
    writeFileSync(file, `${workflow}strict: false\n`)
    const accepted = await looser.hosted(['config', 'accept', '--yes'], third.person)
    expect([accepted.exit, accepted.out]).toEqual([0, 'accepted\n'])
    expect(accepted.talk).toContain(
      '  strict: true -> false\n    LOOSENS: Where no run is active, agents may use their tools',
    )
    expect(await held(third.person)).toEqual({ mode: 'enforce', strict: false, waits: false })
    expect(await rulesNow()).toBe(true)
    expect(third.talk()).not.toContain('was it moved or removed?')
    await stopped(third.child, 'SIGTERM')

    rmSync(file)
    const fourth = await up()
    expect(fourth.talk().replaceAll(/\s+/g, ' ')).toMatch(
      /There is no statewright\.yaml in \S+: was it moved or removed\?/,
    )
    await stopped(fourth.child, 'SIGTERM')
    looser.close()
  })
})

describe('the configuration while runs are live', () => {
  const check = async (url: string, token: string, run: string) => {
    const answer = await fetch(`${url}/api/check`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ run, tool: 'Write', input: { file_path: 'a', content: 'b' } }),
    })
    return answer.json() as Promise<{ decision: string; would?: string; code?: string }>
  }

  test('is pinned until a person accepts the change', patience, async () => {
    writeFileSync(config, 'mode: enforce\n')
    const first = await testbed.up('--test-person')
    const person = { STATEWRIGHT_TOKEN: first.ready.person_token ?? '' }
    await testbed.hosted(['workflow', 'push', 'look.yaml'], person)
    const run = (await testbed.hosted(['run', 'start', 'look'], person)).out.trim()
    const made = await testbed.hosted(['token', 'create', '--kind', 'agent'], person)
    const agent = { STATEWRIGHT_TOKEN: made.out.trim() }
    await stopped(first.child, 'SIGTERM')

    writeFileSync(config, 'mode: observe\n')
    const { ready, child, talk } = await testbed.up()
    expect(talk()).toContain('The configuration was loosened (mode). Calls are only recorded')
    expect(await check(ready.url, agent.STATEWRIGHT_TOKEN, run)).toMatchObject({ decision: 'deny' })

    const byAgent = await testbed.hosted(['config', 'accept', '--yes'], agent)
    expect([byAgent.exit, byAgent.talk.split(':')[0]]).toEqual([3, 'not_permitted'])
    const unasked = await testbed.hosted(['config', 'accept'], person)
    expect([unasked.exit, unasked.talk.split('\n')[0]]).toEqual([
      2,
      '  mode: "enforce" -> "observe"',
    ])
    expect(await check(ready.url, agent.STATEWRIGHT_TOKEN, run)).toMatchObject({ decision: 'deny' })

    const accepted = await testbed.hosted(['config', 'accept', '--yes'], person)
    expect([accepted.exit, accepted.out]).toEqual([0, 'accepted\n'])
    const observed = await check(ready.url, agent.STATEWRIGHT_TOKEN, run)
    expect(observed).toMatchObject({ decision: 'allow', would: 'deny' })

    // A person's switch needs no file, holds at once, and is told with its name.
    const switched = await testbed.hosted(['config', 'mode', 'enforce'], person)
    expect([switched.exit, switched.out]).toEqual([0, 'enforce\n'])
    expect(await check(ready.url, agent.STATEWRIGHT_TOKEN, run)).toMatchObject({ decision: 'deny' })
    const whose = (await testbed.hosted(['config', 'show'], person)).talk
    expect(whose).toMatch(
      / switched to enforce at .*\nThe configuration says observe \(.*yaml\)\.\n/,
    )
    const back = await testbed.hosted(['config', 'mode', 'observe', '--json'], person)
    expect(JSON.parse(back.out)).toMatchObject({ mode: 'observe', choice: null })

    // A change while it runs is noticed on SIGHUP, and waits as well.
    const hook = '{ url: https://hooks.test/, secret_env: NO_SUCH_SECRET }'
    writeFileSync(config, `mode: enforce\nstrict: true\nnotify: { webhook: ${hook} }\n`)
    child.kill('SIGHUP')
    await expect.poll(talk, { timeout: 20_000 }).toContain('waits for "statewright config accept"')
    const shown = JSON.parse((await testbed.hosted(['config', 'show', '--json'], person)).out)
    expect(shown.settings).toMatchObject({ mode: 'enforce', strict: true })
    expect(shown.held).toMatchObject({ mode: 'observe', strict: false })
    const keys = shown.waiting.changes.map((one: { key: string }) => one.key)
    expect(keys.sort()).toEqual(['mode', 'notify', 'strict'])
    // What cannot work is said to whoever accepts it, not only at the next start.
    const late = await testbed.hosted(['config', 'accept', '--yes'], person)
    expect(late.talk).toContain('warning: NO_SUCH_SECRET is not set, so the webhook is not called.')
    await stopped(child, 'SIGTERM')
  })

  test(
    'guarded calls do not reach our own files, whatever the state allows',
    patience,
    async () => {
      rmSync(config)
      const { ready, child } = await testbed.up(
        '--test-person',
        '--data',
        join(testbed.folder, 'own'),
      )
      const token = ready.person_token ?? ''
      const ask = (path: string, body: object) =>
        fetch(`${ready.url}${path}`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }).then((answer) => answer.json() as Promise<{ run_id: string; code?: string }>)
      const definition = {
        id: 'any',
        initial: 'a',
        states: { a: { on: { B: 'b' } }, b: { type: 'final' } },
      }
      const { run_id: run } = await ask('/api/runs', { definition, workspace: testbed.project })
      const files = [
        join(ready.data, 'statewright.db'),
        join(testbed.home, '.local', 'state', 'statewright', 'logins.json'),
        join(testbed.home, '.config', 'statewright', 'config.yaml'),
      ]
      for (const file_path of files) {
        const answer = await ask('/api/check', { run, tool: 'Read', input: { file_path } })
        expect([file_path, answer.code]).toEqual([file_path, 'self_protection'])
      }
      // What holds them may be read by agents, and changed only by people.
      const edit = { file_path: config, content: 'mode: observe' }
      expect((await ask('/api/check', { run, tool: 'Write', input: edit })).code).toBe(
        'self_protection',
      )
      const other = await ask('/api/check', { run, tool: 'Read', input: { file_path: 'a.ts' } })
      expect(other.code).toBeUndefined()
      await stopped(child, 'SIGTERM')
    },
  )
})
