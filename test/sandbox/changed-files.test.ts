import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { bound, GuardedClient } from './guarded-client.test-kit.ts'

let client: GuardedClient
afterEach(() => client.close())

const put = (path: string, text: string) => writeFileSync(join(client.project, path), text)

/** With and without our own `exec` between the client and the command. */
describe.each([
  ['as the client runs it', {}],
  ['through us', { env_overrides: { MODE: 'test' } }],
])('WF-28: an interrupt with shell: true, of a command %s', (_, state) => {
  beforeEach(async () => {
    client = new GuardedClient()
    mkdirSync(join(client.project, 'db'))
    for (const name of ['a', 'b']) put(`db/${name}.sql`, '1\n')
    put('gen.sh', 'echo 2 > db/a.sql\n')
    put('keep.sh', 'cat db/a.sql; echo 2 > other\n')
    await client.start({
      id: 'watched',
      initial: 'work',
      states: {
        work: { on: { DONE: 'end' }, ...state },
        review: { on: { OK: '$return' } },
        end: { type: 'final' },
      },
      interrupts: { db: { trigger: { file_pattern: 'db/**', shell: true }, target: 'review' } },
    } as never)
  })

  const stateAfter = async (command: string) => {
    await client.shell(command)
    return (await client.ask('GET', '/api/runs/session:s1', client.token)).body.state
  }

  test.each([
    'echo x >> db/a.sql',
    'echo x >> db/a.sql; false',
    'echo x > db/new.sql; kill -9 $$',
    'sh gen.sh',
    'sh gen.sh; exit 1',
    'find db -name "*.sql" -exec sed -i s/1/7/ {} +',
    'sed -i s/1/5/ db/*',
    'rm db/b*',
    'mv db dbq',
    'for f in db/*; do echo 1 > $f; done',
    'ln db/a.sql h.txt; echo y >> h.txt; touch -d 2001-01-01 h.txt',
    'ln -sfn db dd; echo x > dd/a.sql; rm dd',
  ])('fires for what it changed: %s', bound, async (command) => {
    expect(await stateAfter(command)).toBe('review')
  })

  test.each(['cat db/*', 'sh keep.sh', 'sed -i s/1/5/ db/none', 'test -e db/none'])(
    'does not fire for what it left alone: %s',
    bound,
    async (command) => {
      expect(await stateAfter(command)).toBe('work')
    },
  )
})

describe('WF-10: files of a state', () => {
  beforeEach(async () => {
    client = new GuardedClient()
    mkdirSync(join(client.project, 'many'))
    for (let at = 0; at < 4; at++) put(`many/f${at}`, 'a\n')
    put('build.sh', 'for i in 1 2 3 4; do echo x > out$i; done\n')
    await client.start({
      id: 'few',
      initial: 'work',
      states: { work: { max_files_per_state: 2, on: { DONE: 'end' } }, end: { type: 'final' } },
    } as never)
  })

  const writes = async () => {
    const input = { file_path: join(client.project, 'new.ts'), content: 'x\n' }
    return (await client.before('Write', input)).denied?.split(':')[0] ?? 'allowed'
  }

  test.each([
    'sed -i s/a/b/ many/*',
    'for i in 1 2 3; do echo z > many/g$i; done',
    'find many -type f -exec sed -i s/a/b/ {} +; false',
  ])('are counted when a command writes some that it does not name: %s', bound, async (command) => {
    expect((await client.shell(command)).denied).toBeUndefined()
    expect(await writes()).toBe('too_many_files')
  })

  test.each(['sh build.sh', 'rm -f many/none*'])(
    'are not counted where it names none: %s',
    bound,
    async (command) => {
      await client.shell(command)
      expect(await writes()).toBe('allowed')
    },
  )
})
