import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, linkSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ToolBench } from '../../testing/tool-bench.ts'

let bench: ToolBench
beforeEach(() => {
  bench = new ToolBench()
})
afterEach(() => bench.close())

const outsideText = () => readFileSync(bench.outside, 'utf8')

/** Every tool that takes a path, with one given to it. */
const calls: readonly (readonly [string, (path: string) => object])[] = [
  ['read_file', (path) => ({ path })],
  ['list_files', (path) => ({ path })],
  ['grep', (path) => ({ path, pattern: '.' })],
  ['search', (path) => ({ path, query: 'secret' })],
  ['edit_file', (path) => ({ path, old_string: 'secret', new_string: 'x' })],
  ['write_file', (path) => ({ path, content: 'x' })],
  ['apply_patch', (path) => ({ patch: updateOf(path) })],
  ['git_diff', (path) => ({ paths: [path] })],
  ['git_commit', (path) => ({ message: 'x', paths: [path] })],
  ['git_checkout', (path) => ({ paths: [path] })],
]

const updateOf = (path: string) =>
  `*** Begin Patch\n*** Update File: ${path}\n-secret of another\n+x\n*** End Patch`

describe('a path that leads out of the workspace', () => {
  test.each(calls)('SE-10: %s refuses ../, absolute paths and links', async (name, input) => {
    bench.repository({ 'a.txt': 'a\n' })
    symlinkSync(bench.outside, join(bench.root, 'file-link'))
    symlinkSync(bench.around, join(bench.root, 'folder-link'))
    symlinkSync('../outside.txt', join(bench.root, 'relative-link'))
    const paths = [
      '../outside.txt',
      'a/../../outside.txt',
      bench.outside,
      '/etc/passwd',
      'file-link',
      'relative-link',
      'folder-link/outside.txt',
      `${bench.root}/../outside.txt`,
      `${bench.root}-other/x`,
    ]
    for (const path of paths) {
      expect([path, await bench.text(name, input(path))]).toEqual([
        path,
        expect.stringMatching(/^ERROR outside_workspace: /),
      ])
    }
    expect(outsideText()).toBe('secret of another\n')
  })

  test('SE-10: a link that leads to nothing yet does not make a file outside', async () => {
    symlinkSync(join(bench.around, 'new.txt'), join(bench.root, 'dangling'))
    const text = await bench.text('write_file', { path: 'dangling', content: 'x' })
    expect(text).toMatch(/^ERROR outside_workspace/)
    expect(existsSync(join(bench.around, 'new.txt'))).toBe(false)
  })

  test('SE-10: a patch cannot move a file out or take one in', async () => {
    bench.put({ 'a.txt': 'a\n' })
    const move = (from: string, to: string) =>
      `*** Begin Patch\n*** Update File: ${from}\n*** Move to: ${to}\n-a\n+b\n*** End Patch`
    const patches = [move('a.txt', '../b.txt'), move('../outside.txt', 'b.txt')]
    for (const patch of patches) {
      expect(await bench.text('apply_patch', { patch })).toMatch(/^ERROR outside_workspace/)
    }
    expect(existsSync(join(bench.around, 'b.txt'))).toBe(false)
  })

  test('SE-10: links inside of the workspace are followed', async () => {
    bench.put({ 'real/a.txt': 'a\n' })
    symlinkSync('real', join(bench.root, 'alias'))
    expect(await bench.text('write_file', { path: 'alias/a.txt', content: 'b\n' })).toMatch(
      /^Wrote/,
    )
    expect(await bench.text('read_file', { path: 'real/a.txt' })).toBe('b')
  })

  test('SE-10: searching and listing follow no link', async () => {
    bench.put({ 'a.txt': 'secret of ours\n' })
    symlinkSync(bench.around, join(bench.root, 'up'))
    symlinkSync(bench.outside, join(bench.root, 'file'))
    expect(await bench.text('grep', { pattern: 'secret' })).toBe('a.txt:1:secret of ours')
    expect(await bench.text('list_files', {})).not.toContain('outside')
  })

  test('SE-10: a name outside of a hard link keeps its text when the file is written', async () => {
    linkSync(bench.outside, join(bench.root, 'hard.txt'))
    await bench.text('write_file', { path: 'hard.txt', content: 'x' })
    expect(outsideText()).toBe('secret of another\n')
  })
})

describe('a link that is swapped in between check and use', () => {
  const swapMs = 3000
  const longestMs = 45_000
  const refused = 'ERROR outside_workspace'

  /** Another process swaps a folder and a link to the outside, while tools work. */
  async function whileSwapping(work: () => Promise<unknown>): Promise<void> {
    const folder = join(bench.root, 'place')
    mkdirSync(folder)
    const script = `
      const { renameSync, rmSync, symlinkSync, unlinkSync } = require('node:fs')
      const [place, aside, around] = process.argv.slice(1)
      console.log('swapping')
      // The tools make folders meanwhile, so that a step may fail.
      const attempt = (step) => { try { step() } catch {} }
      for (;;) {
        // A folder that the tools made in the meantime would keep all later steps from working.
        attempt(() => rmSync(aside, { recursive: true, force: true }))
        attempt(() => renameSync(place, aside))
        attempt(() => symlinkSync(around, place))
        attempt(() => unlinkSync(place))
        attempt(() => renameSync(aside, place))
      }`
    const args = ['-e', script, folder, join(bench.root, 'aside'), bench.around]
    const swapper = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] })
    try {
      await once(swapper.stdout, 'data')
      await work()
    } finally {
      swapper.kill('SIGKILL')
      if (swapper.exitCode === null && swapper.signalCode === null) await once(swapper, 'exit')
    }
  }

  test('SE-10: writing never lands outside', { timeout: 60_000 }, async () => {
    const answers = new Set<string>()
    await whileSwapping(async () => {
      const end = Date.now() + swapMs
      // On a busy machine it takes longer until the link was met: without it nothing was tried.
      const late = Date.now() + longestMs
      const isTried = () => Date.now() >= end && answers.has(refused)
      for (let round = 0; !isTried() && Date.now() < late; round++) {
        const path = round % 2 === 0 ? 'place/outside.txt' : `place/n${round}/x.txt`
        const text = await bench.text('write_file', { path, content: 'overwritten' })
        answers.add(text.split(/[: ]/).slice(0, 2).join(' '))
      }
    })
    expect(outsideText()).toBe('secret of another\n')
    expect(existsSync(join(bench.around, 'n1'))).toBe(false)
    // Both happened, or else nothing was tried.
    expect(answers).toContain(refused)
    expect([...answers].some((one) => /^(?:Created|Wrote)/.test(one))).toBe(true)
  })

  test('SE-10: reading never shows the outside', { timeout: 60_000 }, async () => {
    await whileSwapping(async () => {
      const end = Date.now() + swapMs
      while (Date.now() < end) {
        expect(await bench.text('read_file', { path: 'place/outside.txt' })).not.toContain('secret')
      }
    })
  })
})
