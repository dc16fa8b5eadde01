import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeCage } from '../../packages/server/src/sandbox/cage.ts'
import { findSandbox } from '../../packages/server/src/sandbox/find-sandbox.ts'
import { runGuarded } from '../../packages/server/src/sandbox/run-guarded.ts'
import { filePicture } from '../support/file-picture.ts'

const sandbox = await findSandbox()
if (sandbox.kind === 'none') process.stderr.write(`skipped: the sample in a cage. ${sandbox.why}\n`)

interface Case {
  readonly id: string
  readonly command: string
  readonly policy: { readonly mode?: string }
  readonly expect: 'allow' | 'deny'
}

const source = new URL('../../packages/core/src/shell/fixtures/sample.jsonl', import.meta.url)
const writing = readFileSync(source, 'utf8')
  .trim()
  .split('\n')
  .map((line): Case => JSON.parse(line))
  .filter(({ policy, expect }) => policy.mode === 'read-only' && expect === 'deny')

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'statewright-sample-')))
const workspace = join(folder, 'project')
const home = join(folder, 'home')

beforeAll(() => {
  for (const name of ['src', 'tests', '.git/refs', 'node_modules', 'dir', 'a', 'build']) {
    mkdirSync(join(workspace, name), { recursive: true })
  }
  mkdirSync(home)
  const names = ['a.txt', 'b.txt', 'file', 'f', 'f.txt', 'file.txt', 'src/main.py', 'src/a.js']
  for (const name of [...names, 'package.json', 'Makefile', 'README.md', '.git/HEAD']) {
    writeFileSync(join(workspace, name), 'one\ntwo\nthree\n')
  }
  writeFileSync(join(home, '.bashrc'), '')
})
afterAll(() => rmSync(folder, { recursive: true }))

describe.skipIf(sandbox.kind === 'none')('SH-14: the writing commands of the sample', () => {
  test('run for real in the cage of a reading state, and change no file', {
    timeout: 240_000,
  }, async () => {
    expect(writing.length).toBeGreaterThan(200)
    const before = filePicture(folder)
    const cage = makeCage({ workspace, mayWrite: false, network: false })
    const env = { PATH: process.env.PATH ?? '', HOME: home, LANG: 'C.UTF-8' }
    const waiting = [...writing]
    let ran = 0
    const worker = async () => {
      for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
        const limits = { timeoutMs: 3000, outputLimit: 1000 }
        const done = await runGuarded(one.command, {
          sandbox,
          cage,
          cwd: workspace,
          env,
          ...limits,
        })
        expect(done.isCaged).toBe(true)
        ran += 1
      }
    }
    await Promise.all([worker(), worker(), worker()])
    expect(ran).toBe(writing.length)
    expect(filePicture(folder)).toEqual(before)
  })

  test('would change files without it: the comparison sees what it should', async () => {
    const before = filePicture(folder)
    const cage = makeCage({ workspace, mayWrite: true, network: false })
    const env = { PATH: process.env.PATH ?? '', HOME: home }
    const limits = { timeoutMs: 3000, outputLimit: 1000 }
    await runGuarded('touch a.txt', { sandbox, cage, cwd: workspace, env, ...limits })
    expect(filePicture(folder)).not.toEqual(before)
  })
})
