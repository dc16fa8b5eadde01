import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { templates } from '../packages/server/src/templates/read-templates.ts'
import { Place, patience, stopped, threeLines } from './server-kit.ts'

const places: Place[] = []
afterAll(() => {
  for (const place of places) place.close()
})

/** A project with some files, and a git folder so that it is its own root. */
function project(files: Readonly<Record<string, string>>): Place {
  const place = new Place()
  places.push(place)
  mkdirSync(join(place.project, '.git'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(place.project, name), text)
  return place
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
    const place = project(files)
    const made = await place.run(['init', '--yes', '--json'])
    expect([made.exit, JSON.parse(made.out)]).toMatchObject([
      0,
      { template: 'bugfix', mode: 'strict', test: command, clients: [] },
    ])
    const definition = parse(readFileSync(join(place.project, 'statewright/bugfix.yaml'), 'utf8'))
    expect(definition.evidence.tests).toMatchObject({ command, defined_by: [definedBy] })
    const checked = await place.run(['workflow', 'check', '--strict', 'statewright/bugfix.yaml'])
    expect([checked.exit, checked.out]).toEqual([0, ''])
    const config = parse(readFileSync(join(place.project, 'statewright.yaml'), 'utf8'))
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
      const place = project({ 'package.json': '{}' })
      mkdirSync(join(place.home, '.claude'))
      const { talk, out } = await place.run(['init', '--yes', '--mode', 'observe'])
      expect(out.split('\n')).toEqual([
        'statewright/bugfix.yaml',
        'statewright/bugfix.scenarios.yaml',
        'statewright.yaml',
        '',
      ])
      expect(talk.trim().split('\n').at(-1)).toBe(
        'Next: run "statewright up", open the link that it prints, ' +
          'then "statewright install claude-code".',
      )
    },
  )

  test('loses nothing: a second one is refused in three lines', patience, async () => {
    const place = project({ 'statewright.yaml': 'strict: true\n' })
    const { exit, talk } = await place.run(['init', '--yes'])
    expect(exit).toBe(3)
    expect(talk).toMatch(threeLines('name_taken'))
    expect(readFileSync(join(place.project, 'statewright.yaml'), 'utf8')).toBe('strict: true\n')
  })

  test('an unknown template is told with those there are', patience, async () => {
    const { exit, talk } = await project({}).run(['init', '--yes', '--template', 'bugfx'])
    expect(exit).toBe(4)
    expect(talk).toMatch(threeLines('unknown_workflow'))
    expect(talk).toContain('bugfix')
  })
})

describe('the files of a project', () => {
  test('are saved by the server once, and guarded calls may not touch them', patience, async () => {
    const place = project({ 'package.json': '{}' })
    await place.run(['init', '--yes'])
    const first = await place.up('--test-person')
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
    const started = await ask('/api/runs', { workflow: 'bugfix', workspace: place.project })
    const file_path = join(place.project, 'statewright/bugfix.yaml')
    const edit = await ask('/api/check', {
      run: started.run_id,
      tool: 'Edit',
      input: { file_path, old_string: 'a', new_string: 'b' },
    })
    expect(edit).toMatchObject({ decision: 'deny', code: 'self_protection' })
    await ask(`/api/runs/${started.run_id}/stop`, {})
    await stopped(first.child, 'SIGTERM')

    // The same text is no new version; another one is.
    const again = await place.up()
    await stopped(again.child, 'SIGTERM')
    const text = readFileSync(file_path, 'utf8')
    writeFileSync(file_path, text.replace('max_edit_lines: 60', 'max_edit_lines: 50'))
    const third = await place.up()
    const shown = await place.run(['workflow', 'list', '--json'], person)
    await stopped(third.child, 'SIGTERM')
    expect(JSON.parse(shown.out)).toMatchObject({ name: 'bugfix', version: 2 })
  })

  test('with errors stop the server before it starts, with the line', patience, async () => {
    const place = project({
      'statewright.yaml': 'definitions: [a.yaml]\n',
      'a.yaml': 'id: a\ninitial: b\nstates: { b: { allowed_tolls: [] } }\n',
    })
    const { exit, talk } = await place.run(['up', '--port', '0'])
    expect(exit).toBe(3)
    expect(talk).toMatch(threeLines('definition_invalid'))
    expect(talk).toContain('a.yaml:3:')
  })

  test('that are not there stop it, too', patience, async () => {
    const place = project({ 'statewright.yaml': 'definitions: [none.yaml]\n' })
    const { exit, talk } = await place.run(['up', '--port', '0'])
    expect(exit).toBe(2)
    expect(talk).toMatch(threeLines('config_invalid'))
  })
})

describe('every template', () => {
  test.each(templates().map(({ name }) => name))(
    '%s checks clean and plays',
    patience,
    async (name) => {
      const place = project({ 'pyproject.toml': 'pytest' })
      expect((await place.run(['workflow', 'new', name])).exit).toBe(0)
      const file = `statewright/${name}`
      const checked = await place.run(['workflow', 'check', '--strict', `${file}.yaml`])
      expect([checked.exit, checked.out]).toEqual([0, ''])
      const played = await place.run(['workflow', 'test', `${file}.scenarios.yaml`, '--json'])
      expect([played.exit, played.talk]).toEqual([0, ''])
      expect(played.out).not.toContain('"ok":false')
    },
  )
})
