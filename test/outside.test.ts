import { spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { bin } from '../packages/server/testing/testbed.ts'

/** What holds for people who use Statewright outside of its clone. */

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'statewright-outside-'))
afterAll(() => rmSync(folder, { recursive: true }))

const manifest = JSON.parse(readFileSync(join(root, 'packages/server/package.json'), 'utf8'))
const engine = /^>=(\d+\.\d+)$/.exec(manifest.engines.node)?.[1]

/** Runs the command on a Node that says it has another version. */
function onNode(version: string, ...args: string[]) {
  const preload = join(folder, `node-${version}.cjs`)
  const versions = `{ ...process.versions, node: '${version}' }`
  writeFileSync(preload, `Object.defineProperty(process, 'versions', { value: ${versions} })`)
  return spawnSync(process.execPath, ['--require', preload, bin, ...args], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: folder },
    input: '{}',
  })
}

describe('a Node that is too old', () => {
  test.each(['18.20.8', '20.20.2', '22.17.1'])('%s is told so, with a way on', (version) => {
    const { status, stdout, stderr } = onNode(version, 'workflow', 'check', 'x.yaml')
    const [what, ...next] = stderr.split('\n')
    expect([status, stdout]).toEqual([1, ''])
    expect(what).toBe(`Statewright needs Node ${engine} or later; this is Node ${version}.`)
    expect(next.join('\n')).toMatch(/^ {2}next: .*npm run install:global[\s\S]*brings a Node/)
  })

  test.each(['22.18.0', '24.0.0'])('%s is not', (version) => {
    expect(onNode(version, '--help').stdout).toMatch(/^Usage: statewright/)
  })

  test('still blocks in a client hook, which must not pass for want of an answer', () => {
    expect(onNode('20.20.2', 'hook', 'claude-code', join(folder, 'none')).status).toBe(2)
  })
})

/** Everything that tells people what to type. */
function filesThatTell(): string[] {
  const folders = ['docs/guide', 'docs/reference', 'packages/dashboard/src', 'packages/server/src']
  const found = folders.flatMap((name) =>
    readdirSync(join(root, name), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /(?<!\.test)\.(md|tsx?)$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name)),
  )
  return [join(root, 'README.md'), ...found]
}

test('the command says its version', () => {
  const { status, stdout } = onNode('24.0.0', '--version')
  expect([status, stdout]).toEqual([0, `${manifest.version}\n`])
})

test('the version is told without loading any command', () => {
  // Only the program and its manifest are there: whatever else it loaded would be missing.
  const alone = join(folder, 'alone')
  mkdirSync(join(alone, 'bin'), { recursive: true })
  cpSync(bin, join(alone, 'bin/statewright.mjs'))
  cpSync(join(root, 'packages/server/package.json'), join(alone, 'package.json'))
  for (const option of ['--version', '-V']) {
    const program = join(alone, 'bin/statewright.mjs')
    const { status, stdout } = spawnSync(process.execPath, [program, option], { encoding: 'utf8' })
    expect([status, stdout]).toEqual([0, `${manifest.version}\n`])
  }
})

describe('what people are told to type', () => {
  test('is nothing that is not published', () => {
    const wrong = filesThatTell().filter((file) => {
      const text = readFileSync(file, 'utf8')
      return /npx (-y )?statewright\b|npm (install|i|create) (-\S+ )*@?statewright\b/.test(text)
    })
    expect(wrong).toEqual([])
  })

  test('begins with one command, by the same name everywhere', () => {
    const scripts = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts
    expect(scripts['install:global']).toContain('scripts/install-global.mjs')
    for (const file of [
      'README.md',
      'docs/guide/installation.md',
      'packages/server/src/cli/up/demo.ts',
      'packages/dashboard/src/pages/approvals/nothing-waits.tsx',
    ]) {
      expect([file, readFileSync(join(root, file), 'utf8')]).toEqual([
        file,
        expect.stringContaining('npm run install:global'),
      ])
    }
  })
})
