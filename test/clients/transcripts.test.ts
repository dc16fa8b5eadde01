import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CodingClientName } from '../../packages/server/src/transcripts/clients.ts'
import { transcriptReaders } from '../../packages/server/src/transcripts/readers.ts'
import type {
  TranscriptCall,
  TranscriptEvent,
} from '../../packages/server/src/transcripts/transcript.ts'
import { runStatewright } from '../../packages/server/testing/child.ts'
import { startFakeModel } from '../support/fake-anthropic.ts'
import { claude, runClaude } from './claude-client.ts'
import { codex, patch } from './codex-client.ts'
import { done, limits } from './drive-client.ts'
import type { DrivenClient } from './driven-client.ts'
import { gemini } from './gemini-client.ts'
import { isDriven } from './guarded-home.ts'
import { opencode } from './opencode-client.ts'

/** An edit of `a.txt` as the client makes it. */
const edits = {
  'claude-code': (file: string) => ({
    tool: 'Edit',
    input: { file_path: file, old_string: 'one', new_string: 'three' },
  }),
  codex: () => patch('*** Update File: a.txt', '@@', '-one', '+three', ' two'),
  gemini: (file: string) => ({
    tool: 'replace',
    input: { file_path: file, old_string: 'one', new_string: 'three', instruction: 'Count on.' },
  }),
  opencode: (file: string) => ({
    tool: 'edit',
    input: { filePath: file, oldString: 'one', newString: 'three' },
  }),
} as const

/** What an unguarded session of a real client left behind, as our reader tells it. */
async function eventsIn(id: CodingClientName, home: string): Promise<TranscriptEvent[]> {
  const reader = transcriptReaders[id]
  const events: TranscriptEvent[] = []
  for await (const found of reader.find(reader.folder({ home, variables: {} }), 0)) {
    if (!('file' in found)) throw new Error(`skipped: ${JSON.stringify(found.skipped)}`)
    for await (const event of reader.read(found.file)) events.push(event)
  }
  return events
}

const isCall = (event: TranscriptEvent): event is TranscriptCall => event.kind === 'call'

function exitsOf(events: readonly TranscriptEvent[]): (string | null | undefined)[] {
  return events.filter(isCall).map(({ id }) => {
    const results = events.filter((event) => event.kind === 'result' && event.id === id)
    const last = results.at(-1)
    return last?.kind === 'result' ? last.exit : undefined
  })
}

function openHome(name: string) {
  const home = mkdtempSync(join(tmpdir(), `statewright-wrote-${name}-`))
  const work = join(home, 'work')
  mkdirSync(work)
  writeFileSync(join(work, 'a.txt'), 'one\ntwo\n')
  return { home, work, close: () => rmSync(home, { recursive: true, force: true }) }
}

function suite<Reply>(client: DrivenClient<Reply>, edit: (file: string) => Reply): void {
  const id = client.id as CodingClientName // Those below, and no other.
  const { isInstalled } = client
  const isTried = isDriven(client.name, { isInstalled, isShort: id === 'claude-code' })
  describe.skipIf(!isTried)(`what the real ${client.name} writes down`, limits, () => {
    let folders: ReturnType<typeof openHome>
    let events: TranscriptEvent[] = []
    beforeAll(async () => {
      folders = openHome(id)
      const { home, work } = folders
      client.prepare(home)
      const { shell, read, write } = client
      const model = await client.startModel([
        [write(work, 'new.txt')],
        [read(join(work, 'a.txt'))],
        [edit(join(work, 'a.txt'))],
        [shell('echo red; exit 3')],
        [shell('echo green')],
        [shell('echo one'), shell('exit 4')],
        [read(join(work, 'nothing-there.txt'))],
        [shell('git push nowhere')],
        done,
      ])
      await client.run({ home, work, modelUrl: model.url })
      await model.close()
      events = await eventsIn(id, home)
    }, limits.timeout)
    afterAll(() => folders.close())

    test('RP-24: the prompt, every call and how each ended', () => {
      expect(events[0]).toMatchObject({ kind: 'prompt', text: 'go' })
      const exits = ['success', 'success', 'success', 'failure', 'success', 'success', 'failure']
      expect(exitsOf(events)).toEqual([...exits, 'failure', 'failure'])
      expect(events.filter(({ kind }) => kind === 'unreadable')).toEqual([])
    })

    test('RP-24: the time, the folder and what each call was given', () => {
      const calls = events.filter(isCall)
      const times = events.map((event) => (event.kind === 'unreadable' ? 0 : event.at))
      expect(times.every((at) => Math.abs(at - Date.now()) < limits.timeout)).toBe(true)
      expect(calls.map(({ cwd }) => cwd)).toEqual(calls.map(() => folders.work))
      const texts = calls.map(({ input }) => JSON.stringify(input))
      for (const [index, words] of ['new.txt', 'a.txt', 'three', 'exit 3', 'echo green'].entries())
        expect(texts[index]).toContain(words)
    })

    test('RP-24: two calls of one message stand before the results of both', () => {
      const [fifth, sixth] = events.filter(isCall).slice(5, 7)
      const order = events.flatMap((event) => {
        if (event.kind !== 'call' && event.kind !== 'result') return []
        if (event.id === fifth?.id) return [`${event.kind} 1`]
        return event.id === sixth?.id ? [`${event.kind} 2`] : []
      })
      expect(order.slice(0, 2)).toEqual(['call 1', 'call 2'])
      expect(order.slice(2).toSorted()).toEqual(['result 1', 'result 2'])
    })

    test('RP-26: the session is replayed by the command, with no server', async () => {
      const environment = { PATH: '/usr/bin:/bin', HOME: folders.home }
      const args = ['replay', `--${id}`, '--since', '1d', '--template', 'bugfix', '--json']
      const ran = await runStatewright(args, { cwd: folders.home, environment })
      expect(ran.code).toBe(3)
      const report = JSON.parse(ran.stdout)
      // Reading, the edit and the new file pass; what leaves the machine untested does not.
      expect(report).toMatchObject({ runs: 1, decisions: 9, same: 8, undecided: 0 })
      expect(report.telling.map(({ shown }: { shown: string }) => shown)).toEqual([
        'git push nowhere',
      ])
    })
  })
}

suite(claude, edits['claude-code'])
suite(codex, edits.codex)
suite(gemini, edits.gemini)
suite(opencode, edits.opencode)

describe.skipIf(!claude.isInstalled)('sub-agents of the real Claude Code', limits, () => {
  test('RP-24: what they did stands in files of their own and is read along', async () => {
    const folders = openHome('claude-agents')
    const { home, work } = folders
    const start = { description: 'sub', prompt: 'helper do it', subagent_type: 'general-purpose' }
    const model = await startFakeModel([[{ tool: 'Agent', input: start }], done], {
      helper: [[claude.shell('exit 3')], [claude.write(work, 'sub.txt')], done],
    })
    await runClaude({ home, work, model })
    await model.close()
    const events = await eventsIn('claude-code', home)
    const calls = events.filter(isCall)
    expect(calls.map(({ tool, agent }) => [tool, agent === undefined])).toEqual([
      ['Agent', true],
      ['Bash', false],
      ['Write', false],
    ])
    expect(exitsOf(events).slice(1)).toEqual(['failure', 'success'])
    folders.close()
  })
})
