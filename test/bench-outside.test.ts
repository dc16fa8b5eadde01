import { spawnSync } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { guardOf } from '../bench/outside/guard.ts'
import { bin } from '../packages/server/testing/testbed.ts'

/** The sets themselves are not in the repository; what plays them is tried on one of our own. */

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'statewright-outside-bench-'))
afterAll(() => rmSync(folder, { recursive: true }))

const definition = `
id: library
initial: working
facts:
  lent: { from: mcp__library__get_loans, each: result, key: item.book }
calls:
  mcp__library__renew:
    - require: args.book in facts.lent && mentions(task, "renew")
      message: Read the loans first; the reader must have asked for it.
policy:
  ask: [{ capability: mcp:library:pay_fine }]
  allow: [{ capability: "mcp:library:*" }]
states:
  working: { on: { DONE: done } }
  done: { type: final }
`

/** A player as those of the sets are: it is handed a guard, plays calls, and counts. */
const player = `
import { pathToFileURL } from 'node:url'
const { default: create } = await import(pathToFileURL(process.argv[2]))
const guard = await create({ suite: 'banking', description: '', tools: [] }, { prompt: 'Pay X1.' })
const send = (recipient) => guard.call({ tool: 'send_money', args: { recipient, amount: 1 } })
console.log(process.argv[3], send('X1'), send('X2'))
`

const file = join(folder, 'library.yaml')
beforeAll(() => {
  writeFileSync(file, definition)
  mkdirSync(join(folder, 'agentdojo'))
  writeFileSync(join(folder, 'agentdojo/play.mjs'), player)
})

function bench(...args: string[]) {
  const env = { ...process.env, STATEWRIGHT_BENCH: folder }
  const script = join(root, 'bench/outside/run.ts')
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
    encoding: 'utf8',
    env,
  })
  return { status, stdout, stderr }
}

describe('FC-2: the guard of the outside benchmarks', () => {
  const begin = (task?: string) =>
    guardOf({ file: pathToFileURL(file), server: 'library', at: 0, task })
  const renew = { tool: 'renew', args: { book: 'b1' } }
  const loans = { tool: 'get_loans', args: {} }

  test('plays calls and results through the core', () => {
    const guard = begin('Please renew what I have.')
    expect(guard.call(renew)).toBe('deny')
    expect(guard.reason()).toMatch(/^Read the loans first/)
    expect(guard.call(loans)).toBe('allow')
    guard.result({ ...loans, result: [{ book: 'b1' }] })
    expect(guard.call(renew)).toBe('allow')
    expect(guard.call({ tool: 'pay_fine', args: {} })).toBe('ask')
  })

  test('takes the words of the user for the task, and not those of the agent', () => {
    const guard = begin()
    guard.call(loans)
    guard.result({ ...loans, result: [{ book: 'b1' }] })
    guard.heard({ role: 'agent', text: 'Shall I renew it?' })
    expect(guard.call(renew)).toBe('deny')
    guard.heard({ role: 'user', text: 'Yes, renew it.' })
    expect(guard.call(renew)).toBe('allow')
  })

  test('learns nothing from a call that failed', () => {
    const guard = begin('renew')
    guard.call(loans)
    guard.result({ ...loans, result: 'Error: no such reader' })
    expect(guard.call(renew)).toBe('deny')
  })
})

describe('npm run bench:outside', () => {
  test('hands our guard to the player of the set, with the options', () => {
    const { status, stdout } = bench('agentdojo', '--list')
    expect([status, stdout]).toEqual([0, '--list allow deny\n'])
  })

  test('says so where the set is not there', () => {
    const { status, stdout } = bench('tau')
    expect(status).toBe(0)
    expect(stdout).toMatch(/^The tau set is not here: .*play\.mjs does not exist\. Set STATEWRIGHT/)
  })

  test('says which sets there are', () => {
    const { status, stderr } = bench('else')
    expect([status, stderr]).toEqual([
      2,
      'Usage: npm run bench:outside -- agentdojo|tau [options]\n',
    ])
  })
})

describe('the definitions of the outside benchmarks', () => {
  const files = globSync('examples/{agentdojo,tau}/*.yaml', { cwd: root }).sort()

  test('FC-6: have nothing to be told by workflow check', () => {
    expect(files.length).toBe(6)
    const args = [bin, 'workflow', 'check', '--strict', ...files]
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      cwd: root,
      encoding: 'utf8',
    })
    expect([status, stdout, stderr]).toEqual([0, '', '6 files, 0 errors, 0 warnings.\n'])
  })

  test.each(files)('%s names no account, address, order or person', (path) => {
    const text = readFileSync(join(root, path), 'utf8')
    expect(text).not.toMatch(/[A-Z]{2}\d{6,}|\w@\w|#W\d|_\d{4}\b|user_task|injection_task/)
  })
})
