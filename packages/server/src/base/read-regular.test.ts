import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readRegular, readRegularText } from './read-regular.ts'

const folder = mkdtempSync(join(tmpdir(), 'statewright-regular-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('a plain file is read, a larger one or none is not', () => {
  const file = join(folder, 'file')
  writeFileSync(file, 'abc')
  symlinkSync(file, join(folder, 'link'))
  expect(readRegular(file, 3)?.toString()).toBe('abc')
  expect(readRegularText(join(folder, 'link'), 3)).toBe('abc')
  expect([readRegular(file, 2), readRegular(join(folder, 'none'), 9)]).toEqual([
    undefined,
    undefined,
  ])
})

test.skipIf(process.platform === 'win32')('a pipe, a folder and a device hold nobody up', () => {
  const pipe = join(folder, 'pipe.js')
  execFileSync('mkfifo', [pipe])
  expect(readRegular(pipe, 1024)).toBeUndefined()
  expect(readRegular(folder, 1024)).toBeUndefined()
  expect(readRegular('/dev/zero', 1024)).toBeUndefined()
})
