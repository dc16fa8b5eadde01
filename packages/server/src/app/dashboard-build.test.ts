import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { isStale } from './dashboard-build.ts'

const folder = mkdtempSync(join(tmpdir(), 'statewright-build-'))
afterAll(() => rmSync(folder, { recursive: true }))

function write(path: string, atSeconds: number): string {
  const whole = join(folder, path)
  mkdirSync(join(whole, '..'), { recursive: true })
  writeFileSync(whole, '')
  utimesSync(whole, atSeconds, atSeconds)
  return whole
}

describe('the built page', () => {
  const source = join(folder, 'src')
  const built = join(folder, 'dist')

  test('is stale when missing or older than a source, at any depth', () => {
    write('src/deep/a.ts', 1000)
    expect(isStale(built, [source])).toBe(true)
    write('dist/index.html', 2000)
    expect(isStale(built, [source])).toBe(false)
    write('src/deep/a.ts', 3000)
    expect(isStale(built, [source])).toBe(true)
  })

  test('does not depend on tests', () => {
    write('src/deep/a.ts', 1000)
    write('src/deep/a.test.ts', 3000)
    expect(isStale(built, [source])).toBe(false)
  })
})
