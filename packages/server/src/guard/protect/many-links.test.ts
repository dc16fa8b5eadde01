import { linkSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { data, home, judge, makeWorld, removeWorld, root, shell } from './protect.test-kit.ts'

/** As a package manager links files of a project into its store; our own data are many. */
beforeAll(() => {
  makeWorld()
  const store = join(home, '.local/share/pnpm/store')
  mkdirSync(store, { recursive: true })
  mkdirSync(join(root, 'node_modules/x'), { recursive: true })
  writeFileSync(join(store, 'a'), '')
  linkSync(join(store, 'a'), join(root, 'node_modules/x/i.js'))
  mkdirSync(join(data, 'many'))
  for (let index = 0; index < 2500; index++) writeFileSync(join(data, `many/${index}`), '')
})
afterAll(removeWorld)

test('SH-17: a file with a second name is not ours because of it', () => {
  expect(judge('Read', { file_path: 'node_modules/x/i.js' })).toBe('allow')
  expect(judge('Write', { file_path: 'node_modules/x/i.js', content: '' })).toBe('allow')
  expect(shell('git diff --no-index node_modules/x/i.js source.ts')).toBe('allow')
  expect(judge('Read', { file_path: 'hard' })).toBe('deny')
  expect(judge('Write', { file_path: 'hard-settings', content: '' })).toBe('deny')
})
