import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { claudeHooks, mcpServerEntry } from './claude-install.ts'
import { addAll, type SettingsEntry, takeAway } from './settings-text.ts'

const facts = {
  node: '/usr/bin/node',
  hookFile: '/opt/statewright/hook.cjs',
  commandFile: '/opt/statewright/statewright.mjs',
  keyFile: '/home/ann/.local/state/statewright/installs/x.json',
}
const settings = [...claudeHooks(facts), mcpServerEntry(facts, '/home/ann/work')]

function install(text: string, entries: readonly SettingsEntry[] = settings) {
  const added = addAll(text, entries, 'settings.json')
  if (!added.ok) throw new Error(added.error.message)
  return added.value
}

function uninstall(text: string, additions: Parameters<typeof takeAway>[1]): string {
  const clean = takeAway(text, additions, 'settings.json')
  if (!clean.ok) throw new Error(clean.error.message)
  return clean.value
}

const texts: readonly string[] = [
  '{}\n',
  '{}',
  '{ }',
  '{\n}\n',
  '{\n\n}\r\n',
  '{"model":"opus"}',
  '{ "model": "opus", "theme": "dark" }\n',
  '{"hooks":{}}',
  '{\n  "hooks": {}\n}\n',
  '{\n  "hooks": { },\n  "z": 1\n}',
  '{\n\t"permissions": {\n\t\t"allow": ["Bash(git *)"]\n\t}\n}\n',
  '{\r\n    "model": "opus"\r\n}\r\n',
  '{\n  "hooks": {\n    "PreToolUse": []\n  }\n}\n',
  '{\n  "hooks": {\n    "PreToolUse": [\n      { "hooks": [{"type":"x"}] }\n    ]\n  }\n}',
  '{\n  "mcpServers": {\n    "other": {"command": "y"}\n  },\n  "z": 1\n}\n',
  '{\n  "projects": {"/home/ann/work": {"allowedTools": []}}\n}\n',
  '{"a\\"}": "{\\\\\\"", "b": [1, -2.5e3, true, null, [], {}]}',
]

describe('what install adds to a settings file', () => {
  test.each(texts)('is all there, beside all that was there: %j', (text) => {
    const after = JSON.parse(install(text).text)
    const before = JSON.parse(text)
    const groups = after.hooks.PreToolUse
    expect(groups[groups.length - 1]).toEqual({
      hooks: [
        {
          type: 'command',
          command: facts.node,
          args: [facts.hookFile, 'claude-code', facts.keyFile],
          timeout: 30,
          onFailure: 'block',
        },
      ],
    })
    expect(groups.slice(0, -1)).toEqual(before.hooks?.PreToolUse ?? [])
    expect(after.projects['/home/ann/work'].mcpServers.statewright.alwaysLoad).toBe(true)
    for (const key of Object.keys(before)) expect(after).toHaveProperty([key])
  })

  test.each(texts)('is taken away to the last byte: %j', (text) => {
    const { text: after, additions } = install(text)
    expect(uninstall(after, additions)).toBe(text)
  })

  test.each(texts)('is taken away after the file was written anew by its client: %j', (text) => {
    const { text: after, additions } = install(text)
    const rewritten = JSON.stringify({ ...JSON.parse(after), more: { x: [1] } }, null, 2)
    const clean = JSON.parse(uninstall(rewritten, additions))
    expect(clean).toEqual({ ...JSON.parse(text), more: { x: [1] } })
  })

  test('leaves what a person has added beside it since', () => {
    const { text, additions } = install('{\n  "model": "opus"\n}\n')
    const edited = text
      .replace('"model": "opus"', '"model": "haiku",\n  "theme": "dark"')
      .replace('"PreToolUse": [', '"PreToolUse": [\n      { "hooks": [] },')
    expect(uninstall(edited, additions)).toBe(
      '{\n  "model": "haiku",\n  "theme": "dark",\n' +
        '  "hooks": {\n    "PreToolUse": [\n      { "hooks": [] }\n    ]\n  }\n}\n',
    )
  })

  test('looks like what stands around it', () => {
    const entry: SettingsEntry = { path: ['hooks', 'Stop'], key: null, value: { a: 1 } }
    expect(install('{\n\t"m": 1\n}\n', [entry]).text).toBe(
      '{\n\t"m": 1,\n\t"hooks": {\n\t\t"Stop": [\n' +
        '\t\t\t{\n\t\t\t\t"a": 1\n\t\t\t}\n\t\t]\n\t}\n}\n',
    )
    expect(install('{"m":1}', [entry]).text).toBe('{"m":1,"hooks":{"Stop":[{"a":1}]}}')
  })

  test('the same holds for every JSON object, however it is written', () => {
    const space = fc.constantFrom('', ' ', '\n', '\n  ', '\t')
    const value = fc.jsonValue({ maxDepth: 3 })
    const object = fc.dictionary(
      fc.string().filter((key) => key !== '__proto__' && !['hooks', 'projects'].includes(key)),
      value,
    )
    const indent = fc.constantFrom(undefined, 1, 2, 4, '\t')
    fc.assert(
      fc.property(object, indent, space, space, (document, unit, lead, tail) => {
        const text = lead + JSON.stringify(document, null, unit) + tail
        const { text: after, additions } = install(text)
        JSON.parse(after)
        expect(uninstall(after, additions)).toBe(text)
      }),
      { numRuns: 100 },
    )
  })
})

describe('a file that must be left alone', () => {
  test.each([
    '',
    '{',
    '[]',
    '"text"',
    '{"a":1,}',
    '// comment\n{}',
    '\ufeff{}',
    '{"hooks":[]}',
    '{"hooks":{"PreToolUse":{}}}',
    '{"hooks":{},"hooks":{}}',
    '{"projects":7}',
    '{"projects":{"/home/ann/work":{"mcpServers":{"statewright":{"command":"mine"}}}}}',
  ])('%j is refused', (text) => {
    const added = addAll(text, settings, 'settings.json')
    expect(added).toMatchObject({ ok: false, error: { code: 'config_invalid' } })
  })

  test('is refused when it broke since', () => {
    const { additions } = install('{}')
    expect(takeAway('{', additions, 'x')).toMatchObject({ ok: false })
  })
})

test('no hook entry is found through the working folder or the environment', () => {
  const text = JSON.stringify(settings)
  expect(text).not.toContain('$')
  for (const name of ['hook.cjs', 'project-key.cjs']) {
    const source = readFileSync(new URL(`../../bin/${name}`, import.meta.url), 'utf8')
    // Its home is told, never looked into.
    const rest = source.replace("process.env.HOME ?? process.env.USERPROFILE ?? ''", '')
    expect(rest).not.toMatch(/process\.(env|cwd)/)
  }
})
