import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { dataFolder } from '../packages/server/src/home/folders.ts'
import { freePort } from '../packages/server/testing/free-port.ts'
import {
  firstLine,
  linesOf,
  patience,
  type Ready,
  stopped,
  Testbed,
  threeLines,
} from '../packages/server/testing/testbed.ts'

/** One machine, several projects: which server a command talks to, and where each one listens. */

const testbed = new Testbed()
afterAll(() => testbed.close())

const notes = 'id: notes\ninitial: a\nstates: { a: { type: final } }\n'

/** Another project of the same person. */
function project(name: string, ...above: string[]): string {
  const folder = join(testbed.folder, ...above, name)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'notes.yaml'), notes)
  return realpathSync(folder)
}

const one = project('one')
const two = project('two')

async function up(cwd: string, ...args: string[]): Promise<{ ready: Ready; stop: () => unknown }> {
  const child = testbed.start(['up', '--json', '--test-person', ...args], {}, cwd)
  let talk = ''
  child.stderr?.on('data', (chunk) => {
    talk += chunk
  })
  const ready: Ready = JSON.parse(await firstLine(child, () => talk))
  return { ready, stop: () => stopped(child, 'SIGTERM') }
}

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return String(typeof address === 'object' ? address?.port : '')
}

describe('a command', () => {
  test('never talks to the server of another project', patience, async () => {
    const server = await up(one, '--port', '0')
    const person = { STATEWRIGHT_TOKEN: server.ready.person_token ?? '' }
    expect((await testbed.hosted(['workflow', 'push', 'notes.yaml'], person, one)).exit).toBe(0)

    const refused = await testbed.hosted(['workflow', 'push', 'notes.yaml'], person, two)
    expect(refused.exit).toBe(6)
    expect(refused.talk).toMatch(threeLines('server_unreachable'))
    expect(refused.talk).toContain(`No server is running for the project ${two}.`)
    expect(refused.talk).toContain(`${one} (${server.ready.url})`)

    // Whoever names it means it.
    const named = { ...person, STATEWRIGHT_URL: server.ready.url }
    expect((await testbed.hosted(['run', 'list'], named, two)).exit).toBe(0)
    await server.stop()
  })

  test('does not take what answers on the usual port for its server', patience, async () => {
    const server = await up(one)
    const { talk, exit } = await testbed.hosted(['run', 'list'], {}, two)
    expect([exit, talk]).toEqual([6, expect.stringContaining('No server is running for')])
    await server.stop()
  })

  test('finds the server from a folder below, with or without git', patience, async () => {
    writeFileSync(join(two, 'statewright.yaml'), '')
    mkdirSync(join(one, '.git'), { recursive: true })
    for (const root of [one, two]) {
      const below = join(root, 'src', 'deep')
      mkdirSync(below, { recursive: true })
      const server = await up(root, '--port', '0')
      const person = { STATEWRIGHT_TOKEN: server.ready.person_token ?? '' }
      expect((await testbed.hosted(['run', 'list'], person, below)).exit).toBe(0)
      await server.stop()
    }
  })

  test('finds a server whose data lie elsewhere', patience, async () => {
    const server = await up(one, '--port', '0', '--data', join(testbed.folder, 'data'))
    const person = { STATEWRIGHT_TOKEN: server.ready.person_token ?? '' }
    expect((await testbed.hosted(['run', 'list'], person, one)).exit).toBe(0)
    await server.stop()
    expect((await testbed.hosted(['run', 'list'], person, one)).exit).toBe(6)
  })
})

describe('the configuration', () => {
  test(
    'that was written since the server started is read again, and said where a flag is stronger',
    patience,
    async () => {
      const server = await up(two, '--port', '0', '--mode', 'enforce')
      const person = { STATEWRIGHT_TOKEN: server.ready.person_token ?? '' }
      const same = await testbed.hosted(['config', 'accept'], person, two)
      expect(same.talk).toBe('Nothing to accept: what the files say is in effect.\n')
      writeFileSync(join(two, 'statewright.yaml'), 'strict: true\nmode: observe\n')
      const { exit, talk } = await testbed.hosted(['config', 'accept'], person, two)
      expect([exit, talk]).toEqual([0, expect.stringContaining('not in effect for: mode.')])
      expect(talk).toContain('next: restart the server without those flags')
      const shown = await testbed.hosted(['config', 'show', '--json'], person, two)
      expect(JSON.parse(shown.out).held).toMatchObject({ strict: true, mode: 'enforce' })
      writeFileSync(join(two, 'statewright.yaml'), '')
      await server.stop()
    },
  )
})

describe('without a server', () => {
  test('a command that needs none works all the same', patience, async () => {
    const shown = await testbed.hosted(['config', 'show'], {}, two)
    expect([shown.exit, shown.talk]).toEqual([0, expect.stringContaining('No server is running')])
    const server = await up(one, '--port', '0')
    const logged = await testbed.hosted(['login', server.ready.login], {}, two)
    expect([logged.exit, logged.out]).toEqual([0, `logged in at ${server.ready.url}\n`])
    await server.stop()
  })
})

describe('the port of a server', () => {
  test('is the next one where the usual one is taken, and stays the same', patience, async () => {
    const usual = String(await freePort())
    for (const folder of [one, two]) {
      const data = dataFolder(folder, { HOME: testbed.home }, undefined)
      mkdirSync(data, { recursive: true })
      writeFileSync(join(data, 'port'), usual)
    }
    const first = await up(one)
    expect(first.ready.url).toBe(`http://127.0.0.1:${usual}`)
    const child = testbed.start(['up'], {}, two)
    const second = linesOf(child)
    await second.until('/login/')
    const { port } = new URL(second.lines[0] ?? '')
    expect(port).not.toBe(usual)
    await second.waitForTalk(`is in use by the server of ${one}`)
    await stopped(child, 'SIGTERM')
    await first.stop()
    // What was installed for it knows its address.
    const again = await up(two)
    expect(again.ready.url).toBe(`http://127.0.0.1:${port}`)
    await again.stop()
  })

  test('that was asked for and is taken says by whom', patience, async () => {
    const server = await up(one, '--port', '0')
    const { port } = new URL(server.ready.url)
    const { exit, talk } = await testbed.run(['up', '--port', port], {}, two)
    expect([exit, talk]).toEqual([1, expect.stringMatching(threeLines('port_unusable'))])
    expect(talk).toContain(`the server of ${one}`)
    await server.stop()
  })

  test('that another program has is told without a guess', patience, async () => {
    const other = createServer()
    const port = await listening(other)
    const { exit, talk } = await testbed.run(['up', '--port', port], {}, two)
    other.close()
    expect([exit, talk]).toEqual([1, expect.stringContaining('by another program')])
  })
})
