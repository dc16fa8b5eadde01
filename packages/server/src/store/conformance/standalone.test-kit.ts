import { describe, expect, test } from 'vitest'
import type { TaskRow } from '../notebook-store.ts'
import type { NewDefinition, TokenRow } from '../store.ts'
import { hostileTexts, type OpenForTest } from './story.test-kit.ts'

/** What stands on its own: definitions, tokens, settings, memory and tasks. */
export function standaloneTests(open: OpenForTest): void {
  describe('definitions', () => {
    test('WF-4: saving makes a new version, unless nothing changed', async () => {
      const { store, reopen } = await open()
      const text = '{"zebra":1,"apple":2,"10":3,"9":4}'
      const first = await store.definitions.save(definition({ text }))
      expect(first).toEqual({ ...definition({ text }), version: 1, createdAt: 100 })
      const same = await store.definitions.save(definition({ savedAt: 200, savedBy: 'eve' }))
      expect(same).toEqual(first)
      const second = await store.definitions.save(definition({ hash: 'h2', savedAt: 300 }))
      expect(second).toMatchObject({ version: 2, createdAt: 100, savedAt: 300 })
      const third = await store.definitions.save(definition({ savedAt: 400 }))
      expect(third.version).toBe(3)
      await store.close()
      const again = await reopen()
      expect(await again.definitions.newest('deploy')).toEqual(third)
      expect(await again.definitions.version('deploy', 1)).toEqual(first)
      expect(await again.definitions.version('deploy', 9)).toBeUndefined()
      const versions = await again.definitions.versions('deploy')
      expect(versions.map((one) => one.version)).toEqual([3, 2, 1])
    })

    test('WF-4: definitions saved at once get numbers of their own', async () => {
      const { store } = await open()
      const saved = await Promise.all(
        Array.from({ length: 8 }, (_, n) => store.definitions.save(definition({ hash: `h${n}` }))),
      )
      expect(new Set(saved.map((one) => one.version)).size).toBe(8)
    })

    test('WF-4: a list shows newest versions, and removed ones keep their numbers', async () => {
      const { store } = await open()
      await store.definitions.save(definition({ name: 'b' }))
      await store.definitions.save(definition({ name: 'b', hash: 'h2' }))
      await store.definitions.save(definition({ name: 'a', kind: 'process' }))
      const all = await store.definitions.list()
      expect(all.map(({ name, version }) => [name, version])).toEqual([
        ['a', 1],
        ['b', 2],
      ])
      expect((await store.definitions.list('process')).map((one) => one.name)).toEqual(['a'])
      expect(await store.definitions.remove('b')).toBe(true)
      expect(await store.definitions.remove('b')).toBe(false)
      expect(await store.definitions.newest('b')).toBeUndefined()
      expect(await store.definitions.version('b', 1)).toBeUndefined()
      expect(await store.definitions.versions('b')).toEqual([])
      const anew = await store.definitions.save(definition({ name: 'b', hash: 'h2', savedAt: 900 }))
      expect(anew).toMatchObject({ version: 3, createdAt: 900 })
    })

    test('WF-4: a draft is accepted by saving the same once more', async () => {
      const { store } = await open()
      await store.definitions.save(definition({ draft: true }))
      const accepted = await store.definitions.save(definition({ draft: false }))
      expect(accepted).toMatchObject({ version: 1, draft: false })
      expect(await store.definitions.save(definition({ draft: true }))).toEqual(accepted)
      expect(await store.definitions.newest('deploy')).toEqual(accepted)
    })

    test('WF-4: a program is kept by its hash', async () => {
      const { store } = await open()
      await store.definitions.saveProgram('h', 'text')
      await store.definitions.saveProgram('h', 'text')
      expect(await store.definitions.program('h')).toBe('text')
      expect(await store.definitions.program('none')).toBeUndefined()
    })
  })

  describe('tokens and settings', () => {
    test('PO-8: a token is found by its hash until long after it was revoked', async () => {
      const { store } = await open()
      const token: TokenRow = {
        tokenId: 't1',
        kind: 'agent',
        role: 'builder',
        name: 'laptop',
        hash: 'h1',
        createdAt: 1,
        createdBy: 'ada',
        expiresAt: null,
        revokedAt: null,
        person: null,
        verbs: null,
      }
      await store.tokens.add(token)
      const service = { person: 'ada', verbs: ['define'] } as const
      await store.tokens.add({ ...token, tokenId: 't2', hash: 'h2', expiresAt: 5, ...service })
      expect(await store.tokens.byHash('h2')).toMatchObject(service)
      await expect(store.tokens.add({ ...token, tokenId: 't3' })).rejects.toThrow()
      expect(await store.tokens.byHash('h1')).toEqual(token)
      expect(await store.tokens.byHash('h9')).toBeUndefined()
      await store.tokens.add({ ...token, tokenId: 't5', hash: 'abc1' })
      await store.tokens.add({ ...token, tokenId: 't6', hash: 'abd1' })
      expect((await store.tokens.byHashStart('abc'))?.tokenId).toBe('t5')
      expect(await store.tokens.byHashStart('ab')).toBeUndefined()
      expect(await store.tokens.byHashStart('ac')).toBeUndefined()
      expect(await store.tokens.revoke('t1', 9)).toBe(true)
      expect(await store.tokens.revoke('t1', 10)).toBe(false)
      expect(await store.tokens.revoke('t9', 10)).toBe(false)
      expect(await store.tokens.renew({ ...token, hash: 'h4' })).toBe(true)
      expect(await store.tokens.byHash('h1')).toBeUndefined()
      expect(await store.tokens.byHash('h4')).toEqual({ ...token, hash: 'h4' })
      expect(await store.tokens.renew({ ...token, tokenId: 't9', hash: 'h9' })).toBe(false)
      await store.tokens.renew(token)
      expect(await store.tokens.revoke('t1', 9)).toBe(true)
      expect((await store.tokens.list()).map((one) => [one.tokenId, one.revokedAt])).toEqual([
        ['t1', 9],
        ['t2', null],
        ['t5', null],
        ['t6', null],
      ])
    })

    test('PO-8: a setting is swapped by one of many only', async () => {
      const { store } = await open()
      const first = await Promise.all(
        Array.from({ length: 8 }, (_, n) => store.settings.swap('leader', undefined, `n${n}`)),
      )
      expect(first.filter(Boolean)).toHaveLength(1)
      const held = await store.settings.get('leader')
      const next = await Promise.all(
        Array.from({ length: 8 }, (_, n) => store.settings.swap('leader', held, `m${n}`)),
      )
      expect(next.filter(Boolean)).toHaveLength(1)
      await store.settings.set('leader', 'x')
      await store.settings.set('leader', 'y')
      expect(await store.settings.get('leader')).toBe('y')
      expect(await store.settings.get('none')).toBeUndefined()
      expect(await store.settings.swap('none', 'y', 'z')).toBe(false)
      await store.check()
      await store.check()
    })
  })

  describe('memory and tasks', () => {
    test('PR-8: memory is kept by project and key, searched and deleted', async () => {
      const { store } = await open()
      const row = { project: '/p', key: 'k', value: 'The Build', tags: ['Ärger'], updatedAt: 1 }
      await store.notebook.setMemory(row)
      await store.notebook.setMemory({ ...row, key: 'a', value: '100%_sure', tags: [] })
      await store.notebook.setMemory({ ...row, project: '/q' })
      await store.notebook.setMemory({ ...row, updatedAt: 2 })
      expect(await store.notebook.memory('/p', 'k')).toEqual({ ...row, updatedAt: 2 })
      expect(await store.notebook.memory('/p', 'none')).toBeUndefined()
      expect(await keys()).toEqual(['a', 'k'])
      expect(await keys('BUILD')).toEqual(['k'])
      expect(await keys('ärger')).toEqual(['k'])
      // Words in any order, over key, text and tags.
      expect(await keys('build the')).toEqual(['k'])
      expect(await keys('ärger  build')).toEqual(['k'])
      expect(await keys('build sure')).toEqual([])
      expect(await keys('%_')).toEqual(['a'])
      expect(await keys('_%')).toEqual([])
      expect(await store.notebook.deleteMemory('/p', 'k')).toBe(true)
      expect(await store.notebook.deleteMemory('/p', 'k')).toBe(false)
      expect(await store.notebook.memory('/q', 'k')).toEqual({ ...row, project: '/q' })

      async function keys(search?: string): Promise<string[]> {
        return (await store.notebook.listMemory('/p', search)).map((one) => one.key)
      }
    })

    test('PR-8: memory keeps what it was given, whatever that is', async () => {
      const { store } = await open()
      for (const text of hostileTexts) {
        const key = text.slice(0, 1000)
        const row = { project: key, key, value: text, tags: [key], updatedAt: 1 }
        await store.notebook.setMemory(row)
        expect(await store.notebook.memory(key, key)).toEqual(row)
        expect(await store.notebook.listMemory(key, key)).toEqual([row])
      }
    })

    test('PR-8: of 32 who claim a task at once, one gets it', async () => {
      const { store, reopen } = await open()
      const open1 = task({ taskId: 't1' })
      await store.notebook.addTask(open1)
      const claims = await Promise.all(
        Array.from({ length: 32 }, (_, n) =>
          store.notebook.updateTask({ ...open1, status: 'claimed', claimedBy: `a${n}` }, open1),
        ),
      )
      expect(claims.filter(Boolean)).toHaveLength(1)
      await store.close()
      const again = await reopen()
      expect(await again.notebook.task('/p', 't1')).toMatchObject({
        status: 'claimed',
        claimedBy: `a${claims.indexOf(true)}`,
      })
    })

    test('PR-8: a task that changed since it was read is not changed by that reading', async () => {
      const { store } = await open()
      const first = task({ taskId: 't1', updatedAt: 1 })
      await store.notebook.addTask(first)
      const { notebook } = store
      const second: TaskRow = { ...first, status: 'claimed', claimedBy: 'a', updatedAt: 2 }
      expect(await notebook.updateTask(second, first)).toBe(true)
      expect(await notebook.updateTask({ ...first, title: 'lost' }, first)).toBe(false)
      expect(await notebook.updateTask(second, { ...second, claimedBy: 'b' })).toBe(false)
      expect(await notebook.updateTask({ ...second, updatedAt: 3 }, second)).toBe(true)
      expect(await notebook.deleteTask('/q', 't1')).toBe(false)
      expect(await notebook.deleteTask('/p', 't1')).toBe(true)
      expect(await notebook.task('/p', 't1')).toBeUndefined()
    })

    test('PR-8: tasks are listed by priority, then in the order they came', async () => {
      const { store } = await open()
      await store.notebook.addTask(task({ taskId: 'low', priority: 1, tags: ['x'] }))
      await store.notebook.addTask(task({ taskId: 'high1', priority: 5 }))
      await store.notebook.addTask(task({ taskId: 'high2', priority: 5, status: 'done' }))
      await store.notebook.addTask(task({ taskId: 'low', project: '/q' }))
      const all = await store.notebook.listTasks('/p')
      expect(all.map((one) => one.taskId)).toEqual(['high1', 'high2', 'low'])
      expect(all[2]).toEqual(task({ taskId: 'low', priority: 1, tags: ['x'] }))
      const done = await store.notebook.listTasks('/p', 'done')
      expect(done.map((one) => one.taskId)).toEqual(['high2'])
      await expect(store.notebook.addTask(task({ taskId: 'low' }))).rejects.toThrow()
    })
  })
}

function definition(fields: Partial<NewDefinition> = {}): NewDefinition {
  return {
    name: 'deploy',
    kind: 'workflow',
    hash: 'h1',
    text: '{}',
    savedBy: 'ada',
    savedAt: 100,
    draft: false,
    ...fields,
  }
}

function task(fields: Partial<TaskRow>): TaskRow {
  return {
    taskId: 't',
    project: '/p',
    title: 'Fix it',
    body: '',
    status: 'open',
    tags: [],
    priority: 0,
    claimedBy: null,
    createdAt: 1,
    updatedAt: 1,
    ...fields,
  }
}
