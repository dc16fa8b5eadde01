import { closeSync, ftruncateSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { runHosted } from '../packages/server/testing/hosted-command.ts'

const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'statewright-cli-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function write(name: string, content: string | Uint8Array): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

function run(...args: string[]) {
  return runHosted({ args, cwd: folder, environment: process.env })
}

const seed = (name: string) => join(root, 'test', 'seeds', name)
const typo = write(
  'typo.json',
  `{
  "id": "typo",
  "initial": "reading",
  "states": {
    "reading": {
      "allowed_tolls": ["Read"],
      "on": { "DONE": "done" }
    },
    "done": { "type": "final" }
  }
}
`,
)

describe('workflow check', () => {
  test('WF-2: names the typo, its line and column and the right name, and exits 3', async () => {
    const { exit, out, talk } = await run('workflow', 'check', typo)
    expect(out).toBe(
      `${typo}:6:7 error unknown_field Unknown field "allowed_tolls". ` +
        'Did you mean "allowed_tools"?\n',
    )
    expect(talk).toBe('1 file, 1 error, 0 warnings.\n')
    expect(exit).toBe(3)
  })

  test('FC-16: --verbose lists what enters the history of runs', async () => {
    const path = write(
      'bank.yaml',
      `id: bank
initial: a
facts:
  balance: { from: mcp__bank__get, key: args.account, value: result.balance, private: true }
calls:
  mcp__bank__transfer:
    - require: args.amount <= facts.balance[args.from]
      message: Read it.
states: { a: { on: { GO: b } }, b: { type: final } }
`,
    )
    const { exit, talk } = await run('workflow', 'check', '--verbose', path)
    expect(exit).toBe(0)
    const start = `${path}: history has `
    const lines = talk.split('\n').filter((line) => line.startsWith(start))
    expect(lines.map((line) => line.slice(start.length))).toEqual([
      'arguments of mcp__bank__transfer: amount, from (at most 8192 bytes a call)',
      'arguments of mcp__bank__get: account (at most 8192 bytes a call)',
      'fact balance: at most 256 keys, 4096 bytes a value, private: as keyed hashes alone',
    ])
  })

  test('WF-1: the same in YAML', async () => {
    const yaml = 'id: typo\ninitial: a\nstates:\n  a:\n    allowed_tolls: [Read]\n    type: final\n'
    const path = write('typo.yaml', yaml)
    const { exit, out } = await run('workflow', 'check', path)
    expect(out).toContain(`${path}:5:5 error unknown_field Unknown field "allowed_tolls".`)
    expect(exit).toBe(3)
  })

  test('WF-3: warnings pass, and do not with --strict', async () => {
    const plain = await run('workflow', 'check', seed('guards.json'))
    expect(plain.out).toContain(':15:20 warning guard_field_unset ')
    expect(plain.exit).toBe(0)
    expect((await run('workflow', 'check', '--strict', seed('guards.json'))).exit).toBe(3)
    expect((await run('workflow', 'check', '--strict', seed('minimal.json'))).exit).toBe(0)
  })

  test('PR-1: a process is told from a workflow', async () => {
    const { exit, out } = await run('workflow', 'check', '--json', seed('deploy-gate.json'))
    expect(JSON.parse(out)).toEqual({
      ok: true,
      files: [
        { file: seed('deploy-gate.json'), kind: 'process', name: 'deploy-gate', findings: [] },
      ],
    })
    expect(exit).toBe(0)
  })

  test('WF-3: files checked together know each other', async () => {
    const states = '{"a":{"on":{"GO":{"invoke":"review","on_complete":"z"}}},"z":{"type":"final"}}'
    const parent = write('parent.json', `{"id":"parent","initial":"a","states":${states}}`)
    expect((await run('workflow', 'check', parent)).out).toContain('warning unknown_workflow')
    const both = await run('workflow', 'check', parent, seed('minimal.json'))
    expect(both.out).toBe('')
    expect(both.exit).toBe(0)
  })

  test('passes over scenario files among others, and says what plays them', async () => {
    const scenarios = write(
      'some.scenarios.yaml',
      'definition: minimal.json\nscenarios: [{ name: a, steps: [{ send: GO }] }]\n',
    )
    const { exit, out, talk } = await run('workflow', 'check', seed('minimal.json'), scenarios)
    expect([exit, out]).toEqual([0, ''])
    expect(talk).toBe(
      `${scenarios}: scenarios, which "statewright workflow test" plays.\n` +
        '1 file, 0 errors, 0 warnings.\n',
    )
    const alone = await run('workflow', 'check', scenarios)
    expect([alone.exit, alone.out]).toEqual([3, ''])
    expect(alone.talk).toContain(
      'definition_invalid: This is a scenario file; it is played, not checked.\n' +
        `  in: ${scenarios}\n  next: run "statewright workflow test ${scenarios}".\n`,
    )
  })

  test('a file that is not there exits 4 and the others are still checked', async () => {
    const { exit, out, talk } = await run('workflow', 'check', 'gone.json', typo)
    expect(talk).toContain('file_unreadable: The file could not be read: there is no such file.\n')
    expect(talk).toContain('  in: gone.json\n  next: ')
    expect(out).toContain(':6:7 error unknown_field')
    expect(exit).toBe(4)
  })

  test('names from a file cannot write to the terminal', async () => {
    const path = write('escape.json', '{"id":"x","initial":"a","states":{"a\\u001b[31m":{}}}')
    const { out } = await run('workflow', 'check', path)
    expect(out).not.toContain('\u001b')
    expect(out).toContain('reserved_name')
  })
})

describe('hostile files get one clear answer', () => {
  const manyStates = (count: number) => {
    const states = Array.from({ length: count }, (_, index) => `"${index.toString(36)}s":{}`)
    return `{"id":"x","initial":"0s","states":{${states.join()}}}`
  }
  const manyYamlStates = (count: number) => {
    const states = Array.from({ length: count }, (_, index) => ` ${index.toString(36)}: {}\n`)
    return `id: x\ninitial: a\nstates:\n${states.join('')}`
  }
  const huge = join(folder, 'huge.json')
  const handle = openSync(huge, 'w')
  ftruncateSync(handle, 50 * 1024 * 1024)
  closeSync(handle)
  const nested = '{"a":'.repeat(200_000)
  const laughs = Array.from(
    { length: 9 },
    (_, level) => `a${level}: &a${level} [${level === 0 ? 'x, x' : `*a${level - 1}, `.repeat(9)}]`,
  ).join('\n')

  test.each([
    ['fifty megabytes', huge, 'too_large'],
    ['a hundred thousand states', write('many.json', manyStates(100_000)), 'too_large'],
    ['seventy thousand short ones', write('some.json', manyStates(70_000)), 'too_many_states'],
    ['a hundred thousand in YAML', write('many.yaml', manyYamlStates(100_000)), 'too_large'],
    ['prose', write('prose.txt', 'Once upon a time: there: was\n\t- a list'), 'syntax'],
    ['a word', write('word.yaml', 'hello'), 'not_an_object'],
    ['a broken JSON', write('broken.json', '{"id": "x", }'), 'syntax'],
    ['a picture', write('a.png', new Uint8Array([137, 80, 78, 71, 255, 0, 1])), 'not_text'],
    ['NUL characters', write('nul.json', '{"id": "\0"}'), 'not_text'],
    ['nothing', write('empty.json', ''), 'syntax'],
    ['cyclic anchors', write('cycle.yaml', 'id: x\nstates: &s\n  a: *s\n'), 'alias_cycle'],
    ['a billion laughs', write('laughs.yaml', laughs), 'too_many_aliases'],
    ['two hundred thousand levels', write('deep.json', nested), 'too_deep'],
  ])('WF-1: %s', async (_, path, code) => {
    const { exit, out } = await run('workflow', 'check', path)
    const lines = out.trimEnd().split('\n')
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatch(new RegExp(`:\\d+:\\d+ error ${code} [A-Z"].*\\.$`))
    expect(exit).toBe(3)
  })

  test('WF-2a: __proto__ and constructor as names are refused with their places', async () => {
    const text = `{
  "id": "constructor",
  "initial": "__proto__",
  "__proto__": {},
  "constructor": {},
  "states": {
    "__proto__": { "type": "final" },
    "constructor": { "on": { "__proto__": "a", "constructor": "a" }, "__proto__": 1 },
    "a": { "on": { "GO": { "fork": { "on_complete": "a",
      "branches": { "constructor": { "initial": "a", "terminal": "a" } } } } } }
  },
  "guards": { "constructor": { "field": "__proto__", "op": "exists" }, "__proto__": {} },
  "interrupts": { "prototype": { "trigger": { "file_pattern": "*" }, "target": "a" } },
  "evidence": { "constructor": { "tool": "Bash" } },
  "context": { "__proto__": { "polluted": true } },
  "meta": { "deep": [{ "__proto__": {} }] }
}
`
    const path = write('names.json', text)
    const { exit, out } = await run('workflow', 'check', path)
    const locations = out
      .trimEnd()
      .split('\n')
      .map((line) =>
        line
          .slice(path.length + 1)
          .split(' ')
          .slice(0, 3)
          .join(' '),
      )
    expect(locations).toEqual([
      '2:3 error reserved_name',
      '4:3 error reserved_name',
      '5:3 error unknown_field',
      '7:5 error reserved_name',
      '8:5 error reserved_name',
      '8:30 error reserved_name',
      '8:48 error reserved_name',
      '8:70 error reserved_name',
      '10:21 error reserved_name',
      '12:15 error reserved_name',
      '12:32 error reserved_name',
      '12:72 error reserved_name',
      '13:19 error reserved_name',
      '14:17 error reserved_name',
      '15:16 error reserved_name',
      '16:24 error reserved_name',
    ])
    expect(exit).toBe(3)
  })
})

describe('workflow graph', () => {
  test('draws in Mermaid and in DOT', async () => {
    const mermaid = await run('workflow', 'graph', seed('minimal.json'))
    expect(mermaid.out).toMatch(/^stateDiagram-v2\n/)
    expect(mermaid.out).toContain('DONE')
    const dot = await run('workflow', 'graph', seed('minimal.json'), '--format', 'dot')
    expect(dot.out).toMatch(/^digraph "review" \{\n/)
    expect([mermaid.exit, dot.exit]).toEqual([0, 0])
  })

  test('WF-3: a definition with errors is not drawn', async () => {
    const { exit, out, talk } = await run('workflow', 'graph', typo)
    expect(out).toBe('')
    expect(talk).toBe(
      'definition_invalid: The definition has errors and is not drawn.\n' +
        `  in: ${typo}\n  next: run "statewright workflow check ${typo}" to see them.\n`,
    )
    expect(exit).toBe(3)
  })
})

describe('schema', () => {
  test('WF-1: prints the published schemas', async () => {
    expect(JSON.parse((await run('schema')).out).title).toBe('Statewright workflow')
    expect(JSON.parse((await run('schema', 'process')).out).title).toBe('Statewright process')
    expect((await run('schema', 'policy')).exit).toBe(2)
  })
})

describe('usage', () => {
  test.each([
    [['workflw', 'check'], "Unknown command 'workflw'.", 'did you mean workflow?'],
    [['version'], "Unknown command 'version'.", 'did you mean --version?'],
    [['workflow', 'chek'], "Unknown command 'chek'.", 'did you mean check?'],
    [['workflow', 'check', '--strct', 'x'], "Unknown option '--strct'.", 'did you mean --strict?'],
    [
      ['workflow', 'check'],
      "Missing required argument 'files'.",
      'run "statewright workflow check',
    ],
    [
      ['workflow'],
      'statewright workflow needs one of: check, graph, test, prove, push, list, show, delete, ' +
        'new, import.',
      'run "statewright workflow',
    ],
  ])('%j exits 2 and says what to do', async (args, what, next) => {
    const { exit, out, talk } = await run(...args)
    expect(talk).toContain(`usage: ${what}\n  in: statewright`)
    expect(talk).toContain(`\n  next: ${next}`)
    expect(out).toBe('')
    expect(exit).toBe(2)
  })

  test('help is data on stdout, with examples', async () => {
    const { exit, out } = await run('workflow', 'check', '--help')
    expect(out).toContain('Examples:\n  statewright workflow check deploy.json')
    expect(exit).toBe(0)
    const bare = await run()
    expect(bare.talk).toContain('Usage: statewright')
    expect(bare.exit).toBe(2)
  })
})
