import type { ChildProcess } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  linesOf,
  patience,
  type Ready,
  stopped,
  Testbed,
} from '../packages/server/testing/testbed.ts'

const workflow = `id: bugfix
initial: planning
context: { cause: null }
meta: { approval_mode: ui }
states:
  planning:
    allowed_tools: [Read]
    on: { FOUND: fixing }
  fixing:
    allowed_tools: [Read, Edit]
    on:
      FIXED: { target: testing, guard: cause_known }
      BACK: planning
  testing:
    allowed_tools: [Read, Bash]
    on:
      PASSED: { target: done, requires_approval: true, approval_message: Ship it? }
  done: { type: final }
guards:
  cause_known: { field: cause, op: exists }
`

const testbed = new Testbed()
const file = join(testbed.project, 'bugfix.yaml')
writeFileSync(file, workflow)
afterAll(() => testbed.close())

let server: ChildProcess
let ready: Ready
let person: Record<string, string>
let agent: Record<string, string>
let run: string

beforeAll(async () => {
  const started = await testbed.up('--test-person')
  server = started.child
  ready = started.ready
  person = { STATEWRIGHT_TOKEN: ready.person_token ?? '' }
  expect(started.talk()).toContain('WARNING: --test-person')
}, patience.timeout)

const sw = (args: readonly string[], who = person) => testbed.hosted(args, who)

function api(path: string, who: Record<string, string>, body?: unknown): Promise<Response> {
  return fetch(`${ready.url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${who.STATEWRIGHT_TOKEN}`,
      'content-type': 'application/json',
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}

describe('from a terminal', () => {
  test('the server says where it is, and keeps its data out of the project', patience, () => {
    expect(ready).toEqual({
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      login: expect.stringMatching(/^http:\/\/localhost:\d+\/login\/.+/),
      data: expect.stringContaining(
        join(testbed.home, '.local', 'state', 'statewright', 'project-'),
      ),
      pid: server.pid,
      person_token: expect.stringMatching(/^sw_person_/),
    })
    // The file that commands find it by holds nothing secret.
    expect(JSON.parse(readFileSync(join(ready.data, 'server.json'), 'utf8'))).toEqual({
      url: ready.url,
      pid: ready.pid,
      project: testbed.project,
    })
  })

  test('a workflow is pushed, listed and shown as it was written', patience, async () => {
    expect(await sw(['workflow', 'push', file])).toEqual({
      exit: 0,
      out: 'bugfix version 1\n',
      talk: '',
    })
    expect((await sw(['workflow', 'list', '--json'])).out).toContain('"name":"bugfix"')
    expect((await sw(['workflow', 'show', 'bugfix'])).out).toBe(workflow)
    expect((await sw(['workflow', 'show', 'gone'])).exit).toBe(4)
  })

  test('a broken workflow is refused with its line', patience, async () => {
    const broken = join(testbed.project, 'broken.yaml')
    writeFileSync(broken, workflow.replace('initial: planning', 'initial: nowhere'))
    const { exit, talk } = await sw(['workflow', 'push', broken])
    expect(exit).toBe(3)
    expect(talk).toContain(`${broken}:2:10 error unknown_initial`)
  })

  test('a run is started; standard output is its id alone', patience, async () => {
    const { exit, out, talk } = await sw(['run', 'start', 'bugfix', '--session', 'demo'])
    expect([exit, talk]).toEqual([0, 'started bugfix in planning\n'])
    expect(out).toMatch(/^run_[0-9a-f-]{36}\n$/)
    run = out.trim()
    expect((await sw(['run', 'start', 'gone'])).exit).toBe(4)
  })

  test('an agent gets a token, once', patience, async () => {
    const made = await sw(['token', 'create', '--kind', 'agent', '--name', 'ci', '--json'])
    const { id, token } = JSON.parse(made.out)
    expect(id).toMatch(/^agent_/)
    agent = { STATEWRIGHT_TOKEN: token }
    const list = await sw(['token', 'list'])
    expect(list.out).toContain(id)
    expect(list.out).not.toContain(token)
  })

  test('a forbidden tool is denied with what is allowed and the way on', patience, async () => {
    const input = { file_path: 'a.ts', old_string: 'a', new_string: 'b' }
    const denied = await api('/api/check', agent, { run, tool: 'Edit', input, call_id: 'c1' })
    expect(await denied.json()).toMatchObject({
      decision: 'deny',
      code: 'tool_not_allowed',
      allowed_tools: ['Read'],
      events: [{ event: 'FOUND', target: 'fixing' }],
      way: [{ event: 'FOUND', target: 'fixing' }],
    })
    const edit = ['--tool', 'Edit', '--input', JSON.stringify(input)]
    const explained = await sw(['run', 'explain', run, ...edit], agent)
    expect(explained.exit).toBe(3)
    expect(explained.out).toContain('way to it: FOUND -> fixing')
    expect((await sw(['run', 'explain', run, '--tool', 'Read'], agent)).exit).toBe(0)
  })

  test('a newer version of the workflow changes nothing for a live run', patience, async () => {
    const wider = join(testbed.project, 'wider.yaml')
    writeFileSync(wider, workflow.replace('allowed_tools: [Read]', 'allowed_tools: [Read, Edit]'))
    expect((await sw(['workflow', 'push', wider])).out).toBe('bugfix version 2\n')
    expect((await sw(['run', 'explain', run, '--tool', 'Edit'], agent)).exit).toBe(3)
  })

  test('a refused event exits 3 and says what is possible', patience, async () => {
    const { exit, talk } = await sw(['run', 'transition', run, 'NOPE'], agent)
    expect(exit).toBe(3)
    expect(talk).toContain('unknown_event: ')
    expect(talk).toContain('next: send one of: FOUND.')
  })

  test('a transition moves it; the beginning of an id is enough', patience, async () => {
    const data = '{"cause":"line 42"}'
    const first = await sw(['run', 'transition', run.slice(0, 12), 'FOUND', '--data', data])
    expect(first).toEqual({ exit: 0, out: 'fixing\n', talk: '' })
    const second = await sw(['run', 'transition', 'session:demo', 'FIXED', '--json'])
    expect(JSON.parse(second.out)).toMatchObject({ transitioned: true, from: 'fixing' })
  })

  test('a transition that a person must approve exits 5', patience, async () => {
    const { exit, out } = await sw(['run', 'transition', run, 'PASSED'], agent)
    expect([exit, out]).toEqual([5, expect.stringMatching(/^Approval needed: apr_.+\n$/)])
  })

  test('an agent may not approve it; a person may, and once', patience, async () => {
    const waiting = await sw(['approval', 'list', '--json'])
    const { approval_id: id, message, run_id } = JSON.parse(waiting.out)
    expect([message, run_id]).toEqual(['Ship it?', run])
    const { out: shown } = await sw(['approval', 'show', run])
    expect(shown).toContain(`${id}: PASSED: testing -> done`)
    expect(shown).toContain('  if rejected: PASSED is refused, and the run stays in testing.')
    const refused = await sw(['approval', 'approve', id], agent)
    expect([refused.exit, refused.talk.split(':')[0]]).toEqual([3, 'not_permitted'])
    const answer = await api(`/api/approvals/${id}/approve`, agent, {})
    expect(answer.status).toBe(403)

    const watch = testbed.start(['run', 'watch', run, '--json'], person)
    const watched = linesOf(watch)
    await watched.until('approval_opened')
    const given = await sw(['approval', 'approve', run, '--note', 'well done'])
    expect([given.exit, given.out]).toEqual([0, 'approved: PASSED: testing -> done\n'])
    expect(await watched.ended).toBe(0)
    const types = watched.lines.map((line) => JSON.parse(line).type)
    expect(types[0]).toBe('run_started')
    expect(types).toContain('call_decided')
    expect(types.slice(-3)).toEqual(['approval_resolved', 'transitioned', 'run_ended'])

    const again = await sw(['approval', 'approve', id])
    expect([again.exit, again.talk.split(':')[0]]).toEqual([3, 'approval_resolved'])
  })

  test('everything is visible in run show and run list', patience, async () => {
    const { out } = await sw(['run', 'show', run])
    expect(out).toContain(`${run}: bugfix is completed in done`)
    expect(out).toContain('Edit denied by tool_not_allowed in planning')
    expect(out).toContain('refused NOPE: unknown_event')
    expect(out).toContain('FOUND: planning -> fixing, by test person')
    expect(out).toContain('approved by test person: well done')
    expect((await sw(['run', 'list'])).out).toContain('completed')
    expect((await sw(['run', 'list', '--status', 'running'])).out).toBe('')
  })

  test('a run is replayed and exported', patience, async () => {
    const early = await sw(['run', 'replay', run, '--seq', '1'])
    expect(early.out).toBe('after entry 1: running in planning\n')
    const exported = JSON.parse((await sw(['run', 'export', run])).out)
    expect(exported.run.run_id).toBe(run)
    expect(exported.entries.length).toBeGreaterThan(5)
  })

  test(
    'WF-34: an export says what a terminal would obey, and does not do it',
    patience,
    async () => {
      const odd = 'a\u009b31m\u0085b\u202ec\u{e0041}'
      const other = (await sw(['run', 'start', 'bugfix'])).out.trim()
      const input = { file_path: odd }
      await api('/api/check', agent, { run: other, tool: odd, input, call_id: 'odd' })
      const { out } = await sw(['run', 'export', other])
      expect(JSON.stringify(JSON.parse(out))).toContain(JSON.stringify(odd).slice(1, -1))
      expect(out).not.toMatch(/[\u0080-\u009f\u202e\u{e0041}]/u)
      await sw(['run', 'stop', other])
    },
  )

  test('pause, resume and stop are a person\u2019s for a locked run', patience, async () => {
    const other = (await sw(['run', 'start', 'bugfix'])).out.trim()
    const refused = await sw(['run', 'pause', other], agent)
    expect([refused.exit, refused.talk.split(':')[0]]).toEqual([3, 'locked'])
    expect((await sw(['run', 'pause', other])).out).toBe('paused in planning\n')
    const nextOf = async (...args: string[]) => /next: (.+)/.exec((await sw(args)).talk)?.[1]
    const early = await nextOf('run', 'transition', other, 'FOUND')
    expect(early).toBe('resume the run, or ask a person to: "statewright run resume".')
    expect((await sw(['run', 'resume', other])).out).toBe('running in planning\n')
    const forced = await sw(['run', 'force', other, 'testing'])
    expect([forced.exit, forced.talk.split(':')[0]]).toEqual([3, 'not_debug'])
    expect(forced.talk).toContain('next: set "debug: true" under meta of the workflow')
    expect((await sw(['run', 'transition', other, 'FOUND'])).out).toBe('fixing\n')
    expect(await nextOf('run', 'transition', other, 'FIXED')).toBe(
      'do what the message asks for and send FIXED again, or send one of: BACK.',
    )
    expect((await sw(['run', 'stop', other])).out).toBe('stopped in fixing\n')
  })

  test('what is not there exits 4, and a revoked token counts no more', patience, async () => {
    expect((await sw(['run', 'show', 'run_00000000-0000-0000-0000-000000000000'])).exit).toBe(4)
    expect((await sw(['approval', 'approve', 'apr_nothing'])).exit).toBe(4)
    const made = await sw(['token', 'create', '--kind', 'agent', '--json'])
    const { id, token } = JSON.parse(made.out)
    expect((await sw(['token', 'revoke', id])).exit).toBe(0)
    const late = await sw(['run', 'list'], { STATEWRIGHT_TOKEN: token })
    expect([late.exit, late.talk.split(':')[0]]).toEqual([3, 'unauthenticated'])
  })
})

describe('a restart', () => {
  test('keeps everything, and run verify proves it', patience, async () => {
    expect(await stopped(server, 'SIGTERM')).toBe(0)
    const gone = await sw(['run', 'list'], { ...person, STATEWRIGHT_URL: ready.url })
    expect([gone.exit, gone.talk.split(':')[0]]).toEqual([6, 'server_unreachable'])

    const next = await testbed.up('--test-person')
    server = next.child
    ready = next.ready
    // The token of before still counts: only the server was stopped, not the person.
    const { out } = await sw(['run', 'show', run])
    expect(out).toContain(`${run}: bugfix is completed in done`)
    const verified = await sw(['run', 'verify', '--json'])
    const report = JSON.parse(verified.out)
    expect([verified.exit, report.ok, report.runs.length]).toEqual([0, true, 3])
    expect(report.runs).toContainEqual({ run_id: run, ok: true, entries: expect.any(Number) })
  })

  test('a feed that was lost is taken up again', patience, async () => {
    const watch = testbed.start(['run', 'watch', '--json'], person)
    const watched = linesOf(watch)
    await watched.waitForTalk('Watching all runs')
    const first = (await sw(['run', 'start', 'bugfix'])).out.trim()
    await watched.until(first)
    expect(await stopped(server, 'SIGTERM')).toBe(0)
    const next = await testbed.up('--test-person')
    server = next.child
    ready = next.ready
    expect((await sw(['run', 'transition', first, 'FOUND'])).exit).toBe(0)
    await watched.until('"transitioned"')
    expect(watched.lines.map((line) => JSON.parse(line).seq)).toEqual([1, 2])
    watch.kill('SIGINT')
    expect(await watched.ended).toBe(130)
  })

  test('one changed byte in the file is found', patience, async () => {
    expect(await stopped(server, 'SIGTERM')).toBe(0)
    flipByteOf(join(ready.data, 'statewright.db'), 'NOPE')
    const next = await testbed.up('--test-person')
    server = next.child
    ready = next.ready
    const verified = await sw(['run', 'verify', '--json'])
    const report = JSON.parse(verified.out)
    expect([verified.exit, report.ok]).toEqual([3, false])
    const broken = report.runs.filter((one: { ok: boolean }) => !one.ok)
    const number = expect.any(Number)
    const problem = expect.any(String)
    expect(broken).toEqual([{ run_id: run, ok: false, entries: number, seq: number, problem }])
  })
})

/**
 * Changes one byte of a text in the history. Pages also hold remains of what was moved elsewhere,
 * which nobody reads; the change has to be in an entry.
 */
function flipByteOf(path: string, text: string): void {
  const whole = readFileSync(path)
  const last = text.length - 1
  const changed = text.slice(0, last) + String.fromCharCode(text.charCodeAt(last) ^ 1)
  for (let at = whole.indexOf(text); at >= 0; at = whole.indexOf(text, at + 1)) {
    const bytes = Buffer.from(whole)
    bytes.write(changed, at, 'latin1')
    writeFileSync(path, bytes)
    const database = new DatabaseSync(path)
    const read = database.prepare('SELECT count(*) AS hits FROM entries WHERE entry LIKE ?')
    const { hits } = read.get(`%${changed}%`) ?? {}
    database.close()
    if (hits === 1) return
  }
  throw new Error(`no entry holds ${text}`)
}
