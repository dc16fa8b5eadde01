import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { changedHookPrograms, hookProgram, isWhole } from './hook-program.ts'

const home = mkdtempSync(join(tmpdir(), 'statewright-hook-'))
afterAll(() => rmSync(home, { recursive: true }))

test('SH-19: each program of the copy is one file, which runs without the others', () => {
  const { files } = hookProgram({ HOME: home })
  for (const [name, exit, words] of [
    ['hook.cjs', 2, 'Denied: Statewright could not check this call: it is called as: '],
    ['status-line.cjs', 0, 'statewright: no answer, tool calls are denied'],
  ] as const) {
    const alone = join(mkdtempSync(join(home, 'alone-')), name)
    writeFileSync(alone, files.get(name) ?? '')
    const ran = spawnSync(process.execPath, [alone], { input: '{}', encoding: 'utf8' })
    expect([name, ran.status, `${ran.stdout}${ran.stderr}`]).toEqual([
      name,
      exit,
      expect.stringContaining(words),
    ])
  }
})

test('SH-19: installations at the same time lay down one whole copy', async () => {
  const environment = { HOME: home, XDG_STATE_HOME: join(home, 'state') }
  const module = new URL('./hook-program.ts', import.meta.url).href
  const code = `import { writeHookProgram } from '${module}'; writeHookProgram(process.env)`
  const args = ['--input-type=module-typescript', '-e', code]
  const run = promisify(execFile)
  const env = { ...environment, PATH: process.env.PATH }
  await Promise.all(Array.from({ length: 8 }, () => run(process.execPath, args, { env })))
  const { folder } = hookProgram(environment)
  expect(isWhole(folder)).toBe(true)
  expect(changedHookPrograms(environment)).toEqual([])
  expect(readdirSync(join(folder, '..'))).toHaveLength(1)
})
