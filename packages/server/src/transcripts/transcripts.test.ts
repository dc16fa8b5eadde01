import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { CodingClientName } from './clients.ts'
import * as fixtures from './fixtures.test-kit.ts'
import { transcriptLimits } from './limits.ts'
import { transcriptReaders } from './readers.ts'
import type { TranscriptEvent } from './transcript.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'statewright-transcripts-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

async function readAll(client: CodingClientName, since = 0) {
  const reader = transcriptReaders[client]
  const events: TranscriptEvent[] = []
  const skipped: string[] = []
  const sessions: string[] = []
  for await (const found of reader.find(reader.folder({ home, variables: {} }), since)) {
    if ('skipped' in found) {
      skipped.push(found.skipped.why)
      continue
    }
    sessions.push(found.file.session)
    for await (const event of reader.read(found.file)) events.push(event)
  }
  return { events, skipped, sessions }
}

/** Each event in a line, with its seconds. */
function reported(events: readonly TranscriptEvent[]): string[] {
  return events.map((event) => {
    if (event.kind === 'unreadable') return `line ${event.line} ${event.why}`
    const at = `${(event.at - fixtures.start) / 1000}s`
    if (event.kind === 'prompt') return `${at} prompt ${event.text}`
    if (event.kind === 'result') return `${at} ${event.id} ${event.exit}`
    const { id, tool, server, cwd, agent } = event
    const who = agent === undefined ? '' : ` by ${agent}`
    return `${at} ${id} ${server === undefined ? '' : `${server}:`}${tool} in ${cwd}${who}`
  })
}

describe('what each client writes down', () => {
  test('RP-24: Claude Code', async () => {
    fixtures.claudeSession(home)
    const { events, sessions } = await readAll('claude-code')
    expect(sessions).toEqual(['s1'])
    expect(reported(events)).toEqual([
      '1s prompt Fix it.',
      '2s t1 Read in /srv/shop',
      '3s t1 success',
      '4s t2 Bash in /srv/shop',
      '5s t2 failure',
      '6s t3 Edit in /srv/shop',
      '7s t3 success',
      '8s t4 Bash in /srv/shop',
      '9s t4 success',
      '10s t5 Bash in /srv/shop',
      '11s t5 success',
      '12s t6 Bash in /srv/shop',
      '13s t6 success',
    ])
    expect(events[6]).toMatchObject({ before: { path: '/srv/shop/src/a.ts', text: 'one\n' } })
  })

  test('RP-24: Claude Code, with sub-agents, the background and our own tools', async () => {
    const { call, result, prompt } = fixtures.claude
    const path = fixtures.write(
      join(home, '.claude/projects/p/s1.jsonl'),
      fixtures.lines(
        prompt(1, '<task-notification>done</task-notification>'),
        { ...prompt(1, 'meta'), isMeta: true },
        call(2, 't1', 'Bash', { command: 'npm test', run_in_background: true }),
        result(3, 't1', { response: { stdout: '', backgroundTaskId: 'b1' } }),
        call(4, 't2', 'mcp__statewright__statewright_transition', { event: 'READY' }),
        { ...call(7, 't4', 'Bash', { command: 'ls' }), isSidechain: true },
      ),
    )
    fixtures.write(
      join(dirname(path), 's1/subagents/agent-a1.jsonl'),
      fixtures.lines(
        prompt(4, 'Do it.'),
        call(5, 't3', 'Bash', { command: 'exit 3' }),
        result(6, 't3', { isError: true }),
      ),
    )
    expect(reported((await readAll('claude-code')).events)).toEqual([
      '2s t1 Bash in /srv/shop',
      '3s t1 null',
      '5s t3 Bash in /srv/shop by a1',
      '6s t3 failure',
      '7s t4 Bash in /srv/shop by sub-agent',
    ])
  })

  test('RP-24: Codex', async () => {
    fixtures.codexSession(home)
    const { events, sessions } = await readAll('codex')
    expect(sessions).toEqual(['01a1e4f9-5249-72b2-81a6-fc0122ad3233'])
    expect(reported(events)).toEqual([
      '2s prompt Go.',
      '3s c1 apply_patch in /srv/shop',
      '4s c1 success',
      '6s c2 exec_command in /srv/shop',
      '7s c2 failure',
      '9s c3 exec_command in /srv/shop',
      '10s c3 null',
      '12s c3 success',
      '13s c5 exec_command in /srv/shop',
      '14s c5 null',
      '15s c6 mcp__paint__draw in /srv/shop',
      '16s c6 success',
    ])
  })

  test('RP-24: Gemini CLI', async () => {
    fixtures.geminiSession(home)
    const { events } = await readAll('gemini')
    expect(reported(events)).toEqual([
      '1s prompt Go.',
      '3s g1 run_shell_command in /srv/shop',
      '4s g1 failure',
      '4s g2 run_shell_command in /srv/shop',
      '4s g3 run_shell_command in /srv/shop',
      '4s g2 success',
      '4s g3 null',
      '6s g4 paint:draw in /srv/shop',
      '6s g4 success',
      '8s g5 write_file in /srv/shop',
      '8s g5 success',
      '9s g6 read_file in /srv/shop',
      '9s g6 failure',
    ])
    expect(events[10]).toMatchObject({ before: { path: '/srv/shop/n.ts', text: null } })
  })

  test('RP-24: opencode', async () => {
    const path = fixtures.opencodeSession(home)
    const before = [statSync(path).mtimeMs, readdirSync(dirname(path))]
    const { events } = await readAll('opencode')
    expect(reported(events)).toEqual([
      '0s prompt Go.',
      '1s o1 bash in /srv/shop',
      '1s o2 bash in /srv/shop',
      'line 5 not JSON',
      '2s o3 read in /srv/shop',
      '0s o4 edit in /srv/shop',
      '1.5s o1 failure',
      '1.5s o2 null',
      '2s o3 failure',
      '3s o5 bash in /srv/shop by ses2',
      '3.5s o5 success',
    ])
    // Reading it writes nothing beside it either.
    expect([statSync(path).mtimeMs, readdirSync(dirname(path))]).toEqual(before)
  })

  test('RP-23: the folders that the clients are told to use count', () => {
    const variables = {
      CLAUDE_CONFIG_DIR: '/a',
      CODEX_HOME: '/b',
      GEMINI_CLI_HOME: '/c',
      XDG_DATA_HOME: '/d',
    }
    const folders = Object.values(transcriptReaders).map((one) => [
      one.folder({ home: '/home/ann', variables: {} }),
      one.folder({ home: '/home/ann', variables }),
    ])
    expect(folders).toEqual([
      ['/home/ann/.claude/projects', '/a/projects'],
      ['/home/ann/.codex/sessions', '/b/sessions'],
      ['/home/ann/.gemini/tmp', '/c/.gemini/tmp'],
      ['/home/ann/.local/share/opencode', '/d/opencode'],
    ])
  })

  test('RP-23: what was not written to since is not opened', async () => {
    fixtures.claudeSession(home)
    fixtures.codexSession(home)
    fixtures.geminiSession(home)
    fixtures.opencodeSession(home)
    const later = Date.now() + 1_000_000
    for (const client of ['claude-code', 'codex', 'gemini', 'opencode'] as const)
      expect((await readAll(client, later)).sessions).toEqual([])
  })
})

describe('what nobody wrote in good faith', () => {
  const { call } = fixtures.claude
  const good = fixtures.lines(call(2, 't1', 'Bash', { command: 'ls' }))
  const put = (text: string | Buffer, name = 's1.jsonl') =>
    fixtures.write(join(home, '.claude/projects/p', name), text)
  const deep = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
  const withInput = (input: string) => {
    const block = `{"type":"tool_use","id":"t0","name":"X","input":${input}}`
    return `{"type":"assistant","message":{"content":[${block}]}}\n`
  }

  const broken: readonly (readonly [string, string | Buffer, readonly string[]])[] = [
    ['a line that is no JSON', 'hello\n', ['line 1 not JSON']],
    ['a line that was cut off', '{"type":"assistant","messa', ['line 2 cut off']],
    ['NUL and bytes that are no text', Buffer.from([0, 0xff, 0xfe, 0, 10]), ['line 1 not JSON']],
    ['a list in the place of an object', '["tool_use"]\n', ['line 1 not JSON']],
    ['empty lines', '\n\n \n', []],
    ['an input that nests too deeply', withInput(deep(5000)), ['line 1 nested too deeply']],
    ['a line that nests without end', `${'['.repeat(1_000_000)}"tool_use"\n`, ['line 1 not JSON']],
    [
      'values of other types',
      '{"type":"user","message":{"content":[null,1,{"type":"tool_use"}]}}\n',
      [],
    ],
    ['an id without end', withInput('{}').replace('t0', 'x'.repeat(500)), []],
  ]
  test.each(broken)('RP-25: %s costs that line alone', async (_, text, expected) => {
    const isLast = expected[0]?.startsWith('line 2') === true
    const [head, tail] = isLast ? [good, text] : [text, good]
    put(Buffer.concat([Buffer.from(head), Buffer.from(tail)]))
    const events = reported((await readAll('claude-code')).events)
    const t1 = '2s t1 Bash in /srv/shop'
    expect(events).toEqual(isLast ? [t1, ...expected] : [...expected, t1])
  })

  test('RP-25: a line that is too long is passed over, at the very byte', async () => {
    const line = (bytes: number) => `${withInput('{}').trim().padEnd(bytes, ' ')}\n`
    put(line(transcriptLimits.lineBytes) + line(transcriptLimits.lineBytes + 1) + good)
    const { events } = await readAll('claude-code')
    expect(events.map(({ kind }) => kind)).toEqual(['call', 'unreadable', 'call'])
    expect(reported(events)[1]).toBe('line 2 too long')
  })

  test('RP-25: keys that objects have by birth are keys like others', async () => {
    put(withInput('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}'))
    const { events } = await readAll('claude-code')
    expect(events).toHaveLength(1)
    expect(Object.hasOwn({}, 'polluted') || 'polluted' in {}).toBe(false)
  })

  test('RP-25: links, pipes and folders with the name of a transcript are left alone', async () => {
    const real = put(good, 'real.jsonl')
    const outside = fixtures.write(join(home, 'outside.jsonl'), good)
    symlinkSync(outside, join(dirname(real), 'link.jsonl'))
    symlinkSync(home, join(dirname(real), 'around'))
    mkdirSync(join(dirname(real), 'folder.jsonl'))
    execFileSync('mkfifo', [join(dirname(real), 'pipe.jsonl')])
    const { skipped, sessions } = await readAll('claude-code')
    expect(sessions).toEqual(['real'])
    expect(skipped.toSorted()).toEqual(['a link', 'not a file', 'not a file'])
  })

  test('RP-25: a folder that is a link is followed, as people link their settings', async () => {
    fixtures.write(join(home, 'dotfiles/projects/p/s1.jsonl'), good)
    symlinkSync(join(home, 'dotfiles'), join(home, '.claude'))
    expect((await readAll('claude-code')).sessions).toEqual(['s1'])
  })

  test('RP-25: a database that is none, or lacks its tables, is told of', async () => {
    const path = join(home, '.local/share/opencode/opencode.db')
    fixtures.write(path, 'not a database at all, but long enough to look like a file of something')
    expect(await readAll('opencode')).toEqual({ events: [], skipped: ['unreadable'], sessions: [] })
    rmSync(path)
    symlinkSync('/dev/zero', path)
    expect((await readAll('opencode')).skipped).toEqual(['a link'])
  })

  test('RP-25: a folder that is not there holds nothing', async () => {
    for (const client of ['claude-code', 'codex', 'gemini', 'opencode'] as const)
      expect(await readAll(client)).toEqual({ events: [], skipped: [], sessions: [] })
  })
})
