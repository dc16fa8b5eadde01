import { execFileSync } from 'node:child_process'
import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type StartedServer, startStatewright } from '../../packages/server/testing/child.ts'
import { followEvents } from '../sessions/session-kit.ts'

/** In every file that no session may show, and in no argument of a call. */
const marker = 'hush-7c41'
const markerPattern = 'hush-\\d'
const planted = 'planted by an agent'

/** Files that hold keys to us or to a model: neither read nor changed. */
const secrets = [
  '.local/state/statewright/logins.json',
  '.local/state/statewright/deep/er/still/hooks.json',
  '.config/statewright/config.yaml',
  '.claude/.credentials.json',
  '.claude/settings.json',
  '.codex/auth.json',
  '.gemini/settings.json',
  'project/.claude/settings.local.json',
]

/** What sets a guard up: may be read, not changed. Some are not there yet. */
const guards = [
  'statewright.yaml',
  '.mcp.json',
  'project/statewright.yaml',
  'project/.claude/settings.json',
  'project/.cursor/hooks.json',
  'new/opencode.json',
]

let home: string
let server: StartedServer
let before: Map<string, string | null>

const file = (path: string) => join(home, path)
const textOf = (path: string) => (existsSync(file(path)) ? readFileSync(file(path), 'utf8') : null)

beforeAll(async () => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'statewright-home-')))
  for (const path of secrets) put(path, `{ "key": "${marker}" }\n`)
  put('.config/statewright/config.yaml', `# ${marker}\n`)
  for (const path of ['project/statewright.yaml', 'project/.claude/settings.json'])
    put(path, '{}\n')
  put('open.txt', `open ${marker.slice(0, 5)}1\n`)
  put('deep/a/b/open.txt', 'nothing here\n')
  symlinkSync(file('.local/state'), file('deep/a/state-link'))
  symlinkSync('../../.claude', file('deep/a/claude-link'))
  symlinkSync(file('.codex/auth.json'), file('deep/key-link'))
  symlinkSync('/', file('deep/root-link'))
  linkSync(file('.claude/.credentials.json'), file('deep/second-name.json'))
  git('init', '-q', '-b', 'main')
  git('add', '-f', '.claude/settings.json', 'open.txt', 'project/.claude/settings.json')
  git('commit', '-q', '-m', 'Begin')
  git('checkout', '-q', '-b', 'other')
  put('project/.claude/settings.json', planted)
  git('commit', '-q', '-a', '-m', 'Another')
  git('checkout', '-q', 'main')
  put('.claude/settings.json', `{ "key": "${marker}", "changed": true }\n`)
  server = await startStatewright({
    cwd: home,
    environment: { PATH: process.env.PATH, HOME: home, SW_SERVE_BUILT_DASHBOARD: '1' },
  })
  before = new Map([...secrets, ...guards].map((path) => [path, textOf(path)]))
}, 60_000)

afterAll(async () => {
  await server?.kill('SIGKILL')
  rmSync(home, { recursive: true, force: true })
})

function put(path: string, text: string): void {
  mkdirSync(dirname(file(path)), { recursive: true })
  writeFileSync(file(path), text)
}

function git(...args: string[]): void {
  const names = ['-c', 'user.name=a', '-c', 'user.email=a@b.c', '-c', 'commit.gpgSign=false']
  execFileSync('git', [...names, ...args], {
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home },
  })
}

/** Ways to write the path of a file in the home folder, which is the workspace. */
function spellings(path: string): string[] {
  const [folder, name] = [dirname(path), basename(path)]
  const throughState = path.replace('.local/state', 'deep/a/state-link')
  const throughClaude = path.replace(/^\.claude/, 'deep/a/claude-link')
  return [
    path,
    join(home, path),
    `./${path}`,
    `deep/../${path}`,
    `deep/a/b/../../../${path}`,
    `${home}/deep/../${path}`,
    `//${home}//${path}`,
    `${path}/`,
    ` ${path}`,
    `${path} `,
    path.toUpperCase(),
    path.replace('.c', '.\u200bc'),
    path.normalize('NFD'),
    `~/${path}`,
    `~${userInfo().username}/${path}`,
    `$HOME/${path}`,
    `file://${home}/${path}`,
    `/proc/self/root${home}/${path}`,
    `/proc/self/cwd/${path}`,
    `/proc/${process.pid}/root${home}/${path}`,
    `/dev/fd/../root${home}/${path}`,
    `deep/root-link${home}/${path}`,
    `deep/key-link`,
    'deep/second-name.json',
    throughState,
    throughClaude,
    `${folder}/*`,
    `${folder}/${name.slice(0, 2)}*`,
    `${folder}/?${name.slice(1)}`,
    folder,
    `${folder}/`,
    `${folder}/.`,
    '.',
    '',
  ]
}

interface Call {
  readonly tool: string
  readonly arguments: object
}

const reading = (path: string): Call[] => [
  { tool: 'read_file', arguments: { path } },
  { tool: 'list_files', arguments: { path } },
  { tool: 'list_files', arguments: { path: '.', glob: path } },
  { tool: 'grep', arguments: { path, pattern: markerPattern } },
  { tool: 'grep', arguments: { pattern: markerPattern, glob: path } },
  { tool: 'search', arguments: { path, query: 'hush-' } },
  { tool: 'search', arguments: { query: 'hush-', glob: path } },
  { tool: 'git_diff', arguments: { paths: [path] } },
  { tool: 'git_diff', arguments: { ref: 'HEAD', paths: [path] } },
]

/** Without a sandbox only what words tell is held; what is said plainly has to be. */
const readingCommands = (path: string): Call[] =>
  [`cat '${path}'`, `head -c 99 < ${path}`, `cp ${path} copy.txt; cat copy.txt`].flatMap(asShell)

const sweeping = (): Call[] => [
  { tool: 'grep', arguments: { pattern: markerPattern } },
  { tool: 'grep', arguments: { pattern: markerPattern, path: '.' } },
  { tool: 'grep', arguments: { pattern: markerPattern, glob: '**' } },
  { tool: 'grep', arguments: { pattern: markerPattern, glob: '**/*.json', ignore_case: true } },
  { tool: 'grep', arguments: { pattern: markerPattern, path: home } },
  { tool: 'search', arguments: { query: 'hush-' } },
  { tool: 'search', arguments: { query: 'logins', path: '.local' } },
  { tool: 'git_status', arguments: {} },
  { tool: 'git_diff', arguments: {} },
  { tool: 'git_diff', arguments: { ref: 'HEAD' } },
  { tool: 'git_diff', arguments: { staged: true } },
  ...['grep -r hush- .', 'rg hush-', 'cat .claude/* .codex/*', 'cat ~/.claude/*'].flatMap(asShell),
]

function asShell(command: string): Call[] {
  return [
    { tool: 'bash', arguments: { command } },
    { tool: 'run_command', arguments: { command: ['bash', '-c', command] } },
  ]
}

const writing = (path: string): Call[] => [
  { tool: 'write_file', arguments: { path, content: planted } },
  { tool: 'edit_file', arguments: { path, old_string: '{', new_string: `{${planted}` } },
  { tool: 'apply_patch', arguments: { patch: added(`*** Add File: ${path}\n+${planted}`) } },
  { tool: 'apply_patch', arguments: { patch: added(`***  Add File:  ${path} \n+${planted}`) } },
  { tool: 'apply_patch', arguments: { patch: added(`*** Delete File: ${path}`) } },
  {
    tool: 'apply_patch',
    arguments: { patch: added(`*** Update File: open.txt\n*** Move to: ${path}\n open hush-1`) },
  },
  { tool: 'apply_patch', arguments: { patch: unified(`a/${path}`, `b/${path}`) } },
  { tool: 'apply_patch', arguments: { patch: unified('/dev/null', `b/${path}`) } },
  ...[`echo '${planted}' > ${path}`, `tee ${path} <<< '${planted}'`, `mv open.txt ${path}`].flatMap(
    asShell,
  ),
]

const byGit = (path: string): Call[] => [
  { tool: 'git_apply', arguments: { patch: unified('/dev/null', `b/${path}`) } },
  { tool: 'git_apply', arguments: { patch: unified('/dev/null', `x/${path}`) } },
  { tool: 'git_apply', arguments: { patch: unified('/dev/null', `"b/${octal(path)}"`) } },
  { tool: 'git_checkout', arguments: { ref: 'other', paths: [path] } },
]

const added = (body: string) => `*** Begin Patch\n${body}\n*** End Patch`
const unified = (from: string, to: string) =>
  `diff --git ${from} ${to}\n--- ${from}\n+++ ${to}\n@@ -0,0 +1 @@\n+${planted}\n`
const octal = (path: string) =>
  [...path].map((letter) => `\\${letter.charCodeAt(0).toString(8).padStart(3, '0')}`).join('')

const everything = {
  id: 'everything',
  initial: 'open',
  states: { open: { on: { DONE: 'done' }, sandbox: 'off' }, done: { type: 'final' } },
}

/** Plays the calls in one session, in batches, and gives back what the model read of each. */
async function play(calls: readonly Call[], more: object): Promise<Map<Call, string>> {
  const batches: Call[][] = []
  for (let at = 0; at < calls.length; at += 100) batches.push(calls.slice(at, at + 100))
  const turns = batches.map((batch, round) =>
    batch.map((call, index) => ({ ...call, call_id: `call-${round * 100 + index}` })),
  )
  const body = { harness: 'scripted', projectPath: home, options: { script: { turns } }, ...more }
  const { value, status } = await server.ask('POST', '/api/sessions', body)
  expect(status, JSON.stringify(value)).toBe(201)
  const { sessionId: id } = value as { sessionId: string }
  await until(id, 1)
  await server.ask('POST', `/api/sessions/${id}/input`, { text: 'go' })
  const stop = rejectAll()
  await until(id, 2)
  await stop()
  const attached = (await server.ask('GET', `/api/sessions/${id}`)).value as {
    conversation: { role: string; toolCallId?: string; content: string }[]
  }
  const results = new Map<Call, string>()
  for (const { role, toolCallId, content } of attached.conversation) {
    const call = calls[Number(toolCallId?.slice('call-'.length))]
    if (role === 'tool' && call !== undefined) results.set(call, content)
  }
  return results
}

/** A person who is asked says no. */
function rejectAll(): () => Promise<void> {
  let isOver = false
  const rejecting = (async () => {
    while (!isOver) {
      const { value } = await server.ask('GET', '/api/approvals?status=waiting')
      const { approvals } = value as { approvals: { approval_id: string }[] }
      for (const { approval_id: id } of approvals) {
        await server.ask('POST', `/api/approvals/${id}/reject`, { reason: 'no' })
      }
      await wait(100)
    }
  })()
  return () => {
    isOver = true
    return rejecting
  }
}

async function until(id: string, times: number): Promise<void> {
  let left = times
  const from = { url: server.url, token: server.personToken, id, after: '0' }
  await followEvents(from, (_, data) => {
    if (data.type === 'state_changed' && data.to === 'ready') left -= 1
    return left === 0
  })
}

/** What was given away, and by which call. */
function leaks(results: ReadonlyMap<Call, string>): string[] {
  return [...results]
    .filter(([, text]) => text.includes(marker))
    .map(([call]) => JSON.stringify(call))
}

function changes(): string[] {
  return [...before].filter(([path, text]) => textOf(path) !== text).map(([path]) => path)
}

const limits = { timeout: 120_000 }
const bindings = [
  ['without a workflow', {}],
  ['under a workflow that allows everything', { workflow: 'everything' }],
] as const

describe.each(bindings)('a session %s, in a home folder with our data', limits, (_, more) => {
  beforeAll(async () => {
    await server.ask('PUT', '/api/workflows/everything', everything)
  })

  test('SE-10b: shows no key, however its path is written', async () => {
    const paths = secrets.flatMap((path, at) => spellings(path).slice(0, at % 4 === 0 ? 99 : 8))
    const results = await play([...new Set(paths)].flatMap(reading), more)
    expect(leaks(results)).toEqual([])
    expect(results.size).toBeGreaterThan(500)
  })

  test('SE-10b: shows no key to a search of everything', async () => {
    const results = await play(sweeping(), more)
    expect(leaks(results)).toEqual([])
    expect(results.size).toBe(sweeping().length)
  })

  test('SE-10b: shows no key to a command that names it', async () => {
    const paths = secrets.flatMap((path) => [
      path,
      join(home, path),
      `~/${path}`,
      `deep/../${path}`,
    ])
    const results = await play(paths.flatMap(readingCommands), more)
    rmSync(file('copy.txt'), { force: true })
    expect(leaks(results)).toEqual([])
  })

  test('SE-10b: changes neither a key nor what guards, however its path is written', async () => {
    const first = [...secrets, ...guards].flatMap((path) => [...writing(path), ...byGit(path)])
    const others = [secrets[4] ?? '', guards[1] ?? ''].flatMap(spellings).flatMap(writing)
    await play([...first, ...others], more)
    await play([{ tool: 'git_checkout', arguments: { ref: 'other' } }], more)
    expect(changes()).toEqual([])
  })

  test('SE-10b: works on with everything else', async () => {
    const calls: Call[] = [
      { tool: 'read_file', arguments: { path: 'deep/a/b/open.txt' } },
      { tool: 'grep', arguments: { pattern: 'nothing', path: 'deep' } },
      { tool: 'search', arguments: { query: 'nothing', path: 'deep' } },
      { tool: 'list_files', arguments: { path: 'deep' } },
      { tool: 'write_file', arguments: { path: 'deep/new.txt', content: 'fresh' } },
    ]
    const results = await play(calls, more)
    expect([...results.values()].map((text) => text.split('\n')[0])).toEqual([
      'nothing here',
      'a/b/open.txt:1:nothing here',
      'a/b/open.txt:1:nothing here',
      expect.any(String),
      expect.stringMatching(/^(?:Created|Wrote) deep\/new\.txt/),
    ])
  })
})
