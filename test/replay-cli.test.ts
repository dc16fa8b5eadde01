import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { patience, type Ready, Testbed } from '../packages/server/testing/testbed.ts'

const workflow = (commands: string) => `id: bugfix
initial: planning
states:
  planning:
    allowed_tools: [Read]
    on: { FOUND: fixing }
  fixing:
    allowed_tools: [Read, Edit, Bash]
${commands}    on: { FIXED: done }
  done: { type: final }
`

const testbed = new Testbed()
const file = (name: string, text: string) => {
  const path = join(testbed.project, name)
  writeFileSync(path, text)
  return path
}
const stored = file('bugfix.yaml', workflow(''))
const tried = file('tried.yaml', workflow('    allowed_commands: [npm test]\n'))
const policy = file('team.yaml', 'deny:\n  - capability: bash\n')
afterAll(() => testbed.close())

let ready: Ready
let person: Record<string, string>

beforeAll(async () => {
  ready = (await testbed.up('--test-person')).ready
  person = { STATEWRIGHT_TOKEN: ready.person_token ?? '' }
  expect((await sw(['workflow', 'push', stored])).exit).toBe(0)
  const { run_id: run } = await api('/api/runs', { workflow: 'bugfix' })
  const check = (tool: string, input: object) => api('/api/check', { run, tool, input })
  await check('Read', { file_path: 'a.ts' })
  await api(`/api/runs/${run}/transition`, { event: 'FOUND' })
  for (const command of ['npm test', 'git push --force']) {
    const { decision, call_id } = await check('Bash', { command })
    expect(decision).toBe('allow')
    await api('/api/results', { run, call_id, exit: 'success', bytes: 1 })
  }
  await api(`/api/runs/${run}/transition`, { event: 'FIXED' })
}, patience.timeout)

const sw = (args: readonly string[]) => testbed.hosted(args, person)

async function api(path: string, body: object) {
  const headers = {
    'content-type': 'application/json',
    authorization: `Bearer ${ready.person_token}`,
  }
  const answer = await fetch(ready.url + path, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  return (await answer.json()) as Record<string, string> // our own answers
}

test(
  'RP-1, RP-21: a changed workflow on recorded runs, as a person reads it',
  patience,
  async () => {
    const { exit: code, out: stdout } = await sw(['replay', '--definition', tried, '--since', '1d'])
    expect(code).toBe(3)
    expect(stdout).toContain('tried.yaml: 3 calls in 1 run of this server since')
    expect(stdout).toContain('1  would be denied')
    expect(stdout).toContain('states.fixing.allowed_commands')
    expect(stdout).toContain('git push --force')
    const same = await sw(['replay', '--definition', stored])
    expect([same.exit, same.out.includes('3  would go as they went')]).toEqual([0, true])
  },
)

test(
  'RP-7: a policy by the name of its file, over the runs of one workflow',
  patience,
  async () => {
    const { exit: code, out: stdout } = await sw([
      'replay',
      '--policy',
      policy,
      '--runs',
      'workflow=bugfix',
      '--json',
    ])
    expect(code).toBe(3)
    expect(JSON.parse(stdout)).toMatchObject({
      under: 'team.yaml',
      runs: 1,
      differences: { newly_denied: 2 },
      unsure_moves: 0,
      divergences: { not_compared: 0 },
    })
    const other = await sw(['replay', '--policy', policy, '--runs', 'workflow=other', '--json'])
    expect([other.exit, JSON.parse(other.out).runs]).toEqual([0, 0])
  },
)

test('RP-20: as Markdown, and as SARIF with the line of the rule', patience, async () => {
  const markdown = await sw(['replay', '--definition', tried, '--markdown'])
  expect(markdown.out).toContain('| would be denied | 1 |')
  const sarif = await sw(['replay', '--definition', tried, '--sarif'])
  const [{ locations }] = JSON.parse(sarif.out).runs[0].results
  expect(locations[0].physicalLocation.region.startLine).toBe(9)
})

test('RP-8: what cannot be tried is refused with the next step', patience, async () => {
  const refused = async (...args: readonly string[]) => {
    const { exit: code, talk: stderr } = await sw(['replay', ...args])
    return [code, /next: (.*)/.exec(stderr)?.[1]]
  }
  expect(await refused()).toEqual([2, 'add --definition, --policy or --template.'])
  expect(await refused('--definition', tried, '--runs', 'yesterday')).toEqual([
    2,
    'write workflow=NAME or project=FOLDER.',
  ])
  const broken = file('broken.yaml', 'id: broken\ninitial: nowhere\nstates: {}\n')
  expect((await refused('--definition', broken))[0]).toBe(3)
})
