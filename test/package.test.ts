import { spawn, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  claude,
  start as claudeStart,
  lines,
  write,
} from '../packages/server/src/transcripts/fixtures.test-kit.ts'
import {
  bin as cloneBin,
  finished,
  firstLine,
  patience,
  stopped,
  Testbed,
} from '../packages/server/testing/testbed.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'statewright-package-'))
const modules = join(folder, 'node_modules')
const testbed = new Testbed()
afterAll(() => {
  testbed.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Names of the files in a package, and how large it is when it is downloaded. */
function contents(name: string): { files: string[]; bytes: number } {
  const packed = readFileSync(join(root, 'build', name))
  const tar = gunzipSync(packed)
  const files: string[] = []
  for (let at = 0; at + 512 <= tar.length; ) {
    const field = (from: number, length: number) =>
      tar.toString('utf8', at + from, at + from + length).split('\0')[0] ?? ''
    const file = [field(345, 155), field(0, 100)].filter((part) => part !== '').join('/')
    if (file !== '' && field(156, 1) !== 'x') files.push(file.replace(/^package\//, ''))
    at += 512 + Math.ceil(Number.parseInt(field(124, 12) || '0', 8) / 512) * 512
  }
  return { files, bytes: packed.length }
}

beforeAll(async () => {
  const built = spawnSync(process.execPath, [join(root, 'scripts/build-packages.ts'), '--pack'], {
    cwd: root,
    encoding: 'utf8',
  })
  if (built.status !== 0) throw new Error(built.stderr)
  // As an installation would put them: ours unpacked, and what they need beside them.
  mkdirSync(join(modules, '@statewright'), { recursive: true })
  for (const [name, target] of [
    ['statewright-core-0.1.0.tgz', join(modules, '@statewright', 'core')],
    ['statewright-0.1.0.tgz', join(modules, 'statewright')],
  ] as const) {
    mkdirSync(target, { recursive: true })
    const args = ['-xzf', join(root, 'build', name), '-C', target, '--strip-components=1']
    expect(spawnSync('tar', args).status).toBe(0)
  }
  for (const entry of readdirSync(join(root, 'node_modules'))) {
    if (entry.startsWith('.') || existsSync(join(modules, entry))) continue
    symlinkSync(join(root, 'node_modules', entry), join(modules, entry))
  }
}, 180_000)

const bin = join(modules, 'statewright', 'bin', 'statewright.mjs')
const start = (...args: string[]) =>
  spawn(process.execPath, [bin, ...args], { cwd: testbed.project, env: testbed.environment() })

describe('the packages that people install', () => {
  test.each([
    ['statewright-core-0.1.0.tgz', 1_000_000, ['dist/index.js', 'dist/index.d.ts']],
    [
      'statewright-0.1.0.tgz',
      4_000_000,
      [
        'bin/statewright.mjs',
        'bin/hook.cjs',
        'dist/program/main.js',
        'dist/program/LICENSE-kysely',
        'dist/sdk/sdk.d.ts',
        'dashboard/index.html.br',
        'docs/guide/README.md',
        'docs/images/approvals-wide-light.png',
        'templates/bugfix.yaml',
      ],
    ],
  ])('%s holds what is needed and nothing of our workshop', (name, max, expected) => {
    const { files, bytes } = contents(name)
    expect(files).toEqual(
      expect.arrayContaining([...expected, 'LICENSE', 'README.md', 'package.json']),
    )
    expect(files.filter((file) => /\.test|test-kit|(?<!\.d)\.ts$|\.map$/.test(file))).toEqual([])
    expect(bytes).toBeLessThan(max)
  })

  test('the manifests name only files that are there', () => {
    for (const name of ['@statewright/core', 'statewright']) {
      const manifest = JSON.parse(readFileSync(join(modules, name, 'package.json'), 'utf8'))
      const named = [JSON.stringify(manifest.exports), JSON.stringify(manifest.bin ?? {})]
      const paths = named.flatMap((text) => [...text.matchAll(/"((?:\.\/)?(?:dist|bin)[^"]+)"/g)])
      expect(paths.length).toBeGreaterThan(0)
      for (const [, path = ''] of paths) {
        expect([path, existsSync(join(modules, name, path))]).toEqual([path, true])
      }
      expect(manifest.scripts).toBeUndefined()
      expect(manifest).toMatchObject({
        license: 'Apache-2.0',
        description: expect.stringContaining('Statewright'),
        keywords: expect.arrayContaining(['guardrails']),
        engines: { node: '>=22.18' },
      })
      // Its own: that of the repository tells of a clone, with links to files that are not there.
      const readme = readFileSync(join(modules, name, 'README.md'), 'utf8')
      expect(readme.split('\n')[0]).toBe(`# ${name}`)
      expect(readme).not.toMatch(/npm start|npm test|\]\((?!https?:)/)
    }
  })

  test('the overview is told without loading any command, as the clone tells it', () => {
    const env = testbed.environment()
    const tell = (program: string) =>
      spawnSync(process.execPath, [program, '--help'], { encoding: 'utf8', env })
    const alone = join(folder, 'alone')
    for (const name of ['statewright.mjs', 'help.txt']) {
      cpSync(join(modules, 'statewright', 'bin', name), join(alone, name))
    }
    const printed = tell(join(alone, 'statewright.mjs'))
    expect([printed.status, printed.stdout]).toEqual([0, tell(cloneBin).stdout])
    expect(printed.stdout).toMatch(/^Usage: statewright[\s\S]*\/docs/)
  })

  test('RP-23: the first thing a sceptic types works in an empty folder', patience, async () => {
    const { call, result } = claude
    const path = join(testbed.home, '.claude/projects/p/s.jsonl')
    const edit = { file_path: '/srv/shop/src/a.ts', old_string: 'a', new_string: 'b' }
    const now = (Date.now() - claudeStart) / 1000
    write(
      path,
      lines(
        call(now, 't1', 'Edit', edit),
        result(now, 't1'),
        call(now, 't2', 'Bash', { command: 'git commit -am Fix' }),
      ),
    )
    const args = ['replay', '--claude-code', '--since', '30d', '--template', 'bugfix']
    const { exit, out } = await finished(start(...args))
    rmSync(path)
    expect([exit, out.split('\n')[0]]).toEqual([
      3,
      expect.stringMatching(/^bugfix: 2 calls in 1 session of Claude Code since /),
    ])
    expect(out).toContain('1. git commit -am Fix')
  })

  test('from nothing to the first denied call, with the dashboard', patience, async () => {
    const made = await finished(start('init', '--yes'))
    expect([made.exit, made.out.split('\n')[0]]).toEqual([0, 'statewright/bugfix.yaml'])
    const input = '{"file_path":"a.ts","old_string":"a","new_string":"b"}'
    const file = 'statewright/bugfix.yaml'
    const explain = ['run', 'explain', '--definition', file, '--tool', 'Edit', '--input', input]
    const denied = await finished(start(...explain))
    expect([denied.exit, denied.out.split('\n')[0]]).toEqual([3, 'denied: Edit in investigating'])

    const server = start('up', '--port', '0', '--json', '--test-person', '--durability', 'power')
    let talk = ''
    server.stderr?.on('data', (chunk) => {
      talk += chunk
    })
    const { url, person_token } = JSON.parse(await firstLine(server, () => talk))
    const page = await fetch(url, { headers: { 'accept-encoding': 'br' } })
    expect(page.headers.get('content-encoding')).toBe('br')
    expect(await page.text()).toContain('<div id="app">')
    expect((await fetch(`${url}/docs/concepts`)).status).toBe(200)
    const headers = { authorization: `Bearer ${person_token}` }
    const saved = await fetch(`${url}/api/workflows/bugfix`, { headers })
    expect(await saved.json()).toMatchObject({ name: 'bugfix', version: 1 })
    await stopped(server, 'SIGTERM')
    expect(talk).not.toContain('ExperimentalWarning')
  })

  test('the types of core and the SDK serve a program under strict settings', () => {
    const program = `import { compile, type Decision, decide, start } from '@statewright/core'
import { judgeCommand } from '@statewright/core/shell'
import { type GuardedRun, guardTools } from 'statewright/sdk'
export function judge(text: string): Decision['kind'] {
  const compiled = compile(text)
  if (!compiled.ok) throw new Error(compiled.error[0]?.message)
  const call = { tool: 'Bash', input: { command: 'ls' } }
  return decide(compiled.value, start(compiled.value).snapshot, call).kind
}
export const guarded = (run: GuardedRun) =>
  guardTools({ read: { execute: async (path: string) => path.length } }, run).read.execute('a')
export const length = async (run: GuardedRun): Promise<number> => guarded(run)
// @ts-expect-error: a policy has no such field.
judgeCommand('ls', { allowed_command: ['ls'] })
`
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    writeFileSync(join(folder, 'program.ts'), program)
    const flags = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2024']
    const checks = ['--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--skipLibCheck']
    const args = ['--types', 'node', ...flags, ...checks, 'program.ts']
    const ran = spawnSync('tsc', args, { cwd: folder, encoding: 'utf8' })
    expect([ran.stdout, ran.status]).toEqual(['', 0])
  })

  test('core and the SDK can be imported', patience, async () => {
    const code = `import { compile, defineWorkflow } from '@statewright/core'
import { judgeCommand } from '@statewright/core/shell'
import { endpoints } from '@statewright/core/wire'
import { createStatewright } from 'statewright'
import { guardTools } from 'statewright/sdk'
if (typeof guardTools !== 'function') throw new Error('no tools are guarded')
const statewright = await createStatewright()
const definition = defineWorkflow({ id: 'a', initial: 'b', states: { b: { type: 'final' } } })
if (!compile(definition).ok) throw new Error('it does not compile')
if (judgeCommand('ls', { mode: 'read-only' }).decision !== 'allow') throw new Error('ls is denied')
if (endpoints.startRun.path !== '/api/runs') throw new Error('no endpoints')
await statewright.people.save(definition)
await statewright.close()
console.log('well')`
    const args = ['--input-type=module', '-e', code]
    const env = testbed.environment()
    const ran = await finished(spawn(process.execPath, args, { cwd: folder, env }))
    expect([ran.exit, ran.out, ran.talk]).toEqual([0, 'well\n', ''])
  })
})
