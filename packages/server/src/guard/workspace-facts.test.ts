import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { realOf } from '../base/looks.ts'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'statewright-real-')))
mkdirSync(join(folder, 'data'))
writeFileSync(join(folder, 'file'), '')
symlinkSync(join(folder, 'data'), join(folder, 'to-folder'))
symlinkSync('data/new', join(folder, 'to-nothing'))
symlinkSync('to-nothing', join(folder, 'to-to-nothing'))
symlinkSync('ring', join(folder, 'ring'))

afterAll(() => rmSync(folder, { recursive: true, force: true }))

test.each([
  { path: 'file', real: 'file' },
  { path: 'to-folder/x', real: 'data/x' },
  { path: 'new/deep/x', real: 'new/deep/x' },
  { path: 'to-nothing', real: 'data/new' },
  { path: 'to-to-nothing', real: 'data/new' },
  { path: 'to-nothing/x', real: 'data/new/x' },
  { path: 'file/x', real: 'file/x' },
])('WF-9: the real path of $path is $real, also where a link leads to nothing yet', (row) => {
  expect(realOf(join(folder, row.path))).toBe(join(folder, row.real))
})

test('WF-9: a ring of links ends', () => {
  expect(realOf(join(folder, 'ring'))).toBe(join(folder, 'ring'))
})
