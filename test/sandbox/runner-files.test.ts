import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { bound, GuardedClient } from './guarded-client.test-kit.ts'

interface Fact {
  readonly command?: string
  readonly defined_by?: readonly string[]
  readonly runner_files?: boolean
}

/** As in the guide: what the tests prove, and the file that says what the command does. */
const definition = ({ command = 'npm test', ...more }: Fact) => ({
  id: 'proved',
  initial: 'working',
  context: {},
  states: {
    working: { on: { DONE: { target: 'done', guard: 'tested' } } },
    done: { type: 'final' },
  },
  guards: { tested: { evidence: 'tests' } },
  evidence: { tests: { tool: 'Bash', command, stale_after: ['src/**'], ...more } },
})

describe('WF-31c: files of a known test runner, at the hook of a coding client', () => {
  let client: GuardedClient

  const put = (file: string, text: string) => {
    const path = join(client.project, file)
    mkdirSync(dirname(path), { recursive: true })
    rmSync(path, { force: true })
    writeFileSync(path, text, { mode: 0o755 })
  }

  /** What a judged Write does, from the hook before it to the hook after. */
  const write = async (file: string, content: string) => {
    const callId = client.newCallId()
    const input = { file_path: join(client.project, file), content }
    const { denied } = await client.before('Write', input, callId)
    expect(denied).toBeUndefined()
    put(file, content)
    await client.after('Write', input, callId)
  }

  beforeEach(() => {
    client = new GuardedClient()
    put('package.json', '{"name": "w", "scripts": {"test": "vitest run"}}')
    put('Makefile', 'check:\n\tvitest run\n')
    put('src/a.ts', 'export const a = 1\n')
    put('node_modules/vitest/package.json', '{"name": "vitest", "bin": "./vitest.sh"}')
    put('node_modules/vitest/vitest.sh', '#!/bin/sh\ntest -e src/a.ts\n')
    mkdirSync(join(client.project, 'node_modules/.bin'))
    symlinkSync('../vitest/vitest.sh', join(client.project, 'node_modules/.bin/vitest'))
  })
  afterEach(() => client.close())

  /** 200 when the guard passes by itself, 202 when a person is asked. */
  const statusAfter = async (fact: Fact, work: () => Promise<void>) => {
    await client.start(definition(fact))
    await client.shell('ls')
    await work()
    await client.shell(fact.command ?? 'npm test')
    return (await client.transition('DONE')).status
  }

  const asInTheGuide = { defined_by: ['package.json'] }

  test.each([
    ['node_modules/.bin/vitest', '#!/bin/sh\nexit 0\n'],
    ['node_modules/vitest/vitest.sh', '#!/bin/sh\nexit 0\n'],
    ['vitest.config.ts', 'export default { test: { passWithNoTests: true, include: [] } }\n'],
    ['packages/a/vite.config.mts', 'export default {}\n'],
    ['package-lock.json', '{}\n'],
  ])('a judged Write of %s before the tests needs a person', bound, async (file, text) => {
    expect(await statusAfter(asInTheGuide, () => write(file, text))).toBe(202)
  })

  test('so it does where the author names no file at all', bound, async () => {
    expect(await statusAfter({}, () => write('vitest.config.ts', 'export default {}\n'))).toBe(202)
  })

  test('sources, tests and what a build leaves need none', bound, async () => {
    const work = async () => {
      await write('src/a.ts', 'export const a = 2\n')
      await write('test/a.test.ts', 'export {}\n')
      await write('dist/package.json', '{}\n')
    }
    expect(await statusAfter(asInTheGuide, work)).toBe(200)
  })

  test('an author may switch it off, and then only defined_by counts', bound, async () => {
    const only = { ...asInTheGuide, runner_files: false }
    expect(await statusAfter(only, () => write('vitest.config.ts', 'export {}\n'))).toBe(200)
  })

  test('a command that starts no known runner is as the author says', bound, async () => {
    const other = { command: 'test -e src/a.ts' }
    expect(await statusAfter(other, () => write('vitest.config.ts', 'export {}\n'))).toBe(200)
  })

  test('run explain lists the files that count', bound, async () => {
    await client.start(definition(asInTheGuide))
    await client.shell('ls')
    const call = { tool: 'Bash', input: { command: 'npm test' } }
    const path = '/api/runs/session:s1/explain'
    const { body } = await client.ask('POST', path, client.token, call)
    const vitest = ['.bin/vitest', 'vitest/package.json', 'vitest/vitest.sh']
    const programs = vitest.map((file) => `node_modules/${file}`)
    expect(body.proves).toEqual([{ evidence: 'tests', defined_by: [...programs, 'package.json'] }])
  })
})
