import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { bound, GuardedClient } from '../sandbox/guarded-client.test-kit.ts'

/** A client opens a file by its path after we answered; somebody may have swapped it by then. */
describe('SH-18e: a path that is swapped between our answer and the tool of the client', () => {
  let client: GuardedClient
  const at = (path: string) => join(client.project, path)

  beforeEach(async () => {
    client = new GuardedClient()
    mkdirSync(at('lk'))
    writeFileSync(at('lk/f'), 'plain\n')
    const end = { type: 'final' }
    const states = { work: { on: { DONE: 'end' } }, end }
    await client.start({ id: 'swaps', initial: 'work', states } as never)
  })
  afterEach(() => client.close())

  const gaps = async (tool: string, path: string, swap: () => void) => {
    const callId = client.newCallId()
    const input = { file_path: at(path), content: 'x' }
    expect((await client.before(tool, input, callId)).denied).toBeUndefined()
    swap()
    await client.after(tool, input, callId)
    const entries = await client.history()
    return entries.filter(({ entry }) => entry.type === 'gap').length
  }
  const aside = (path: string) => renameSync(at(path), at('aside'))

  test.each(['Read', 'Write', 'Edit'])('%s of a file is written down', bound, async (tool) => {
    const swap = () => {
      aside('lk/f')
      symlinkSync(join(client.data, 'store.db'), at('lk/f'))
    }
    expect(await gaps(tool, 'lk/f', swap)).toBe(1)
  })

  test('Write of a new file in a folder is written down', bound, async () => {
    const swap = () => {
      aside('lk')
      symlinkSync(join(client.project, '.claude'), at('lk'))
    }
    expect(await gaps('Write', 'lk/new', swap)).toBe(1)
  })

  test('what tools do to their own files is not', bound, async () => {
    expect(await gaps('Write', 'lk/f', () => writeFileSync(at('lk/f'), 'x'))).toBe(0)
    expect(await gaps('Edit', 'lk/f', () => aside('lk/f'))).toBe(0)
    symlinkSync(at('aside'), at('link'))
    const saved = () => {
      writeFileSync(at('link.new'), 'x')
      renameSync(at('link.new'), at('link'))
    }
    expect(await gaps('Edit', 'link', saved)).toBe(0)
  })
})
