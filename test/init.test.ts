import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { templates } from '../packages/server/src/templates/read-templates.ts'
import { patience, stopped, Testbed, threeLines } from '../packages/server/testing/testbed.ts'

const testbeds: Testbed[] = []
afterAll(() => {
  for (const testbed of testbeds) testbed.close()
})

/** A project with some files, and a git folder so that it is its own root. */
function project(files: Readonly<Record<string, string>>): Testbed {
  const testbed = new Testbed()
  testbeds.push(testbed)
  mkdirSync(join(testbed.project, '.git'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(testbed.project, name), text)
  return testbed
}

const kinds: readonly [string, Readonly<Record<string, string>>, string, string][] = [
  ['Node', { 'package.json': '{}' }, 'npm test', 'package.json'],
  ['Node with pnpm', { 'package.json': '{}', 'pnpm-lock.yaml': '' }, 'pnpm test', 'package.json'],
  ['Python', { 'pyproject.toml': '[tool.pytest]' }, 'pytest', 'pyproject.toml'],
  ['Rust', { 'Cargo.toml': '', 'package.json': '{}' }, 'cargo test', 'Cargo.toml'],
  ['Go', { 'go.mod': 'module x' }, 'go test ./...', 'go.mod'],
]

describe('init', () => {
  test.each(kinds)('recognises %s and writes what checks clean', patience, async (...row) => {
    const [, files, command, definedBy] = row
    const testbed = project(files)
    const made = await testbed.hosted(['init', '--yes', '--json'])
    expect([made.exit, JSON.parse(made.out)]).toMatchObject([
      0,
      { template: 'bugfix', mode: 'strict', test: command, clients: [] },
    ])
    const definition = parse(readFileSync(join(testbed.project, 'statewright/bugfix.yaml'), 'utf8'))
    expect(definition.evidence.tests).toMatchObject({ command, defined_by: [definedBy] })
    const checked = await testbed.hosted([
      'workflow',
      'check',
      '--strict',
      'statewright/bugfix.yaml',
    ])
    expect([checked.exit, checked.out]).toEqual([0, ''])
    const config = parse(readFileSync(join(testbed.project, 'statewright.yaml'), 'utf8'))
    expect(config).toEqual({
      definitions: ['statewright/bugfix.yaml'],
      workflow: 'bugfix',
      strict: true,
    })
  })

  test(
    'ends with one sentence on what to do next, naming the clients it found',
    patience,
    async () => {
      const testbed = project({ 'package.json': '{}' })
      mkdirSync(join(testbed.home, '.claude'))
      const { talk, out } = await testbed.hosted(['init', '--yes', '--mode', 'observe'])
      expect(out.split('\n')).toEqual([
        'statewright/bugfix.yaml',
        'statewright/bugfix.scenarios.yaml',
        'statewright.yaml',
        'statewright/.schema/workflow-schema.json',
        'statewright/.schema/config-schema.json',
        '',
      ])
      expect(talk.trim().split('\n').at(-1)).toBe(
        'Next: run "statewright up", open the link that it prints, ' +
          'then "statewright install claude-code".',
      )
    },
  )

  test('says of a template that is a process how it is started', patience, async () => {
    const testbed = project({ 'package.json': '{}' })
    const { exit, talk } = await testbed.hosted(['init', '--yes', '--template', 'deploy-gate'])
    expect([exit, talk.trim().split('\n').at(-1)]).toEqual([
      0,
      'Start the process when it is needed: "statewright process start deploy-gate".',
    ])
  })

  test('loses nothing: a second one is refused in three lines', patience, async () => {
    const testbed = project({ 'statewright.yaml': 'strict: true\n' })
    const { exit, talk } = await testbed.hosted(['init', '--yes'])
    expect(exit).toBe(3)
    expect(talk).toMatch(threeLines('name_taken'))
    expect(readFileSync(join(testbed.project, 'statewright.yaml'), 'utf8')).toBe('strict: true\n')
  })

  test('an unknown template is told with those there are', patience, async () => {
    const { exit, talk } = await project({}).hosted(['init', '--yes', '--template', 'bugfx'])
    expect(exit).toBe(4)
    expect(talk).toMatch(threeLines('unknown_workflow'))
    expect(talk).toContain('bugfix')
  })
})

/** Layouts of projects, each with sources where the usual folders are not. */
const layouts: readonly [string, readonly string[], readonly string[]][] = [
  ['a Node project at its root', ['package.json', 'sum.js', 'test/sum.test.js'], ['sum.js']],
  [
    'a Node project with folders of its own',
    ['package.json', 'server/api/a.ts', 'components/b.tsx', 'pages/c.vue', 'node_modules/x/y.js'],
    ['server/api/a.ts', 'components/b.tsx', 'pages/c.vue', 'server/new.ts', 'vite.config.ts'],
  ],
  ['a Python project', ['pyproject.toml', 'sum.py', 'tests/t.py'], ['sum.py', 'tests/t.py']],
  [
    'a Rust project',
    ['Cargo.toml', 'build.rs', 'src/a.rs', 'tools/b.rs'],
    ['build.rs', 'tools/b.rs'],
  ],
  [
    'a Java project',
    ['pom.xml', 'core/src/main/A.java', 'web/B.kt'],
    ['core/src/main/A.java', 'web/B.kt'],
  ],
  ['a project of no known kind', ['main.lua', 'lib/a.lua'], ['main.lua', 'lib/a.lua']],
]

describe('the evidence that init writes', () => {
  test.each(layouts)('goes stale on every source file of %s', patience, async (...row) => {
    const [, files, edited] = row
    const testbed = project({})
    for (const file of files) {
      mkdirSync(dirname(join(testbed.project, file)), { recursive: true })
      writeFileSync(join(testbed.project, file), '')
    }
    expect((await testbed.hosted(['init', '--yes'])).exit).toBe(0)
    const { evidence } = parse(
      readFileSync(join(testbed.project, 'statewright/bugfix.yaml'), 'utf8'),
    )
    const toTesting = [{ send: 'FOUND' }, { send: 'BEGIN' }, { send: 'FIXED' }]
    const run = { tool: 'Bash', input: { command: evidence.tests.command } }
    const scenarios = edited.map((file) => ({
      name: file,
      context: { cause: 'x' },
      steps: [
        ...toTesting,
        run,
        { send: 'FAILED' },
        { tool: 'Edit', input: { file_path: file, old_string: 'a', new_string: 'b' } },
        { send: 'FIXED' },
        { send: 'PASSED', code: 'evidence_missing' },
      ],
    }))
    const fresh = { name: 'x', context: { cause: 'x' }, steps: [...toTesting, run, done] }
    const text = JSON.stringify({ definition: 'bugfix.yaml', scenarios: [...scenarios, fresh] })
    writeFileSync(join(testbed.project, 'statewright/mine.yaml'), text)
    const played = await testbed.hosted(['workflow', 'test', 'statewright/mine.yaml'])
    expect([played.exit, played.out]).toEqual([0, expect.not.stringContaining('failed')])
    const checked = await testbed.hosted([
      'workflow',
      'check',
      '--strict',
      'statewright/bugfix.yaml',
    ])
    expect([checked.exit, checked.out]).toEqual([0, ''])
    const mistaken = await testbed.hosted(['workflow', 'test', 'statewright/bugfix.yaml'])
    expect([mistaken.exit, mistaken.talk]).toEqual([
      3,
      expect.stringContaining(
        'next: run "statewright workflow test statewright/bugfix.scenarios.yaml".',
      ),
    ])
    const shipped = await testbed.hosted(['workflow', 'test', 'statewright/bugfix.scenarios.yaml'])
    expect([shipped.exit, shipped.out]).toEqual([0, expect.not.stringContaining('failed')])
  })

  test('is warned of where it leaves a source file out', patience, async () => {
    const testbed = project({ 'package.json': '{}', 'sum.js': '' })
    await testbed.hosted(['init', '--yes'])
    const file = join(testbed.project, 'statewright/bugfix.yaml')
    const text = readFileSync(file, 'utf8').replace(/stale_after: .*/, "stale_after: ['test/**']")
    writeFileSync(file, text)
    const { exit, out } = await testbed.hosted(['workflow', 'check', 'statewright/bugfix.yaml'])
    expect([exit, out]).toEqual([0, expect.stringContaining('warning evidence_covers_nothing')])
  })
})

const done = { send: 'PASSED', state: 'done' }

describe('the schema that init writes', () => {
  const named = (file: string) =>
    /^# yaml-language-server: \$schema=(\S+)\n/.exec(readFileSync(file, 'utf8'))?.[1] ?? ''

  test.each([
    ['init --yes', 'statewright.yaml', 'statewright/bugfix.yaml'],
    ['workflow new deploy-gate', 'statewright/deploy-gate.yaml'],
    ['workflow new review-only', 'statewright/review-only.yaml'],
  ])('is found from the first line after %s, and takes the file', patience, async (...row) => {
    const [words, ...files] = row
    const testbed = project({ 'package.json': '{}' })
    expect((await testbed.hosted(words.split(' '))).exit).toBe(0)
    for (const file of files) {
      const path = join(testbed.project, file)
      const schema = JSON.parse(readFileSync(join(dirname(path), named(path)), 'utf8'))
      const isValid = new Ajv2020({ strict: false }).compile(schema)
      const value = parse(readFileSync(path, 'utf8'))
      expect([file, isValid(value), isValid.errors]).toEqual([file, true, null])
      expect(isValid({ ...value, misspelled: 1 })).toBe(false)
    }
    // Written again beside another definition, it is in nobody's way.
    expect((await testbed.hosted(['workflow', 'new', 'tdd-feature'])).exit).toBe(0)
  })
})

describe('the files of a project', () => {
  test('are saved by the server once, and guarded calls may not touch them', patience, async () => {
    const testbed = project({ 'package.json': '{}' })
    await testbed.hosted(['init', '--yes'])
    const first = await testbed.up('--test-person')
    const person = { STATEWRIGHT_TOKEN: first.ready.person_token ?? '' }
    const ask = async (path: string, body?: object) => {
      const answer = await fetch(`${first.ready.url}${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { authorization: `Bearer ${person.STATEWRIGHT_TOKEN}` },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      return (await answer.json()) as Record<string, unknown>
    }
    expect(await ask('/api/workflows/bugfix')).toMatchObject({ version: 1, draft: false })
    const started = await ask('/api/runs', { workflow: 'bugfix', workspace: testbed.project })
    const file_path = join(testbed.project, 'statewright/bugfix.yaml')
    const edit = await ask('/api/check', {
      run: started.run_id,
      tool: 'Edit',
      input: { file_path, old_string: 'a', new_string: 'b' },
    })
    expect(edit).toMatchObject({ decision: 'deny', code: 'self_protection' })
    await ask(`/api/runs/${started.run_id}/stop`, {})
    await stopped(first.child, 'SIGTERM')

    // The same text is no new version; another one is, once a person has accepted it.
    const again = await testbed.up()
    await stopped(again.child, 'SIGTERM')
    const text = readFileSync(file_path, 'utf8')
    writeFileSync(file_path, text.replace('max_edit_lines: 60', 'max_edit_lines: 50'))
    const third = await testbed.up()
    await testbed.hosted(['config', 'accept', '--yes'], person)
    const shown = await testbed.hosted(['workflow', 'list', '--json'], person)
    await stopped(third.child, 'SIGTERM')
    expect(JSON.parse(shown.out)).toMatchObject({ name: 'bugfix', version: 2 })
  })

  test('with errors stop the server before it starts, with the line', patience, async () => {
    const testbed = project({
      'statewright.yaml': 'definitions: [a.yaml]\n',
      'a.yaml': 'id: a\ninitial: b\nstates: { b: { allowed_tolls: [] } }\n',
    })
    const { exit, talk } = await testbed.run(['up', '--port', '0'])
    expect(exit).toBe(3)
    expect(talk).toMatch(threeLines('definition_invalid'))
    expect(talk).toContain('a.yaml:3:')
  })

  test('that are not there stop it, too', patience, async () => {
    const testbed = project({ 'statewright.yaml': 'definitions: [none.yaml]\n' })
    const { exit, talk } = await testbed.run(['up', '--port', '0'])
    expect(exit).toBe(2)
    expect(talk).toMatch(threeLines('config_invalid'))
  })
})

describe('every template', () => {
  test.each(templates().map(({ name }) => name))(
    '%s checks clean and plays',
    patience,
    async (name) => {
      const testbed = project({ 'pyproject.toml': 'pytest' })
      expect((await testbed.hosted(['workflow', 'new', name])).exit).toBe(0)
      const file = `statewright/${name}`
      const checked = await testbed.hosted(['workflow', 'check', '--strict', `${file}.yaml`])
      expect([checked.exit, checked.out]).toEqual([0, ''])
      const played = await testbed.hosted(['workflow', 'test', `${file}.scenarios.yaml`, '--json'])
      expect([played.exit, played.talk]).toEqual([0, ''])
      expect(played.out).not.toContain('"ok":false')
    },
  )
})
