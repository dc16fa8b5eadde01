import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { TomlTable } from './installer.ts'
import { readToml } from './toml-read.ts'
import { addTables, takeTables } from './toml-text.ts'

const tables: readonly TomlTable[] = [
  {
    path: ['mcp_servers', 'statewright'],
    values: { url: 'http://127.0.0.1:4747/mcp', http_headers: { Authorization: 'Bearer sw_x' } },
  },
  {
    path: ['hooks', 'state', '/home/ann/.codex/hooks.json:stop:0:0'],
    values: { trusted: 'a"\\b' },
  },
]

function install(text: string) {
  const added = addTables(text, tables, 'config.toml')
  if (!added.ok) throw new Error(added.error.message)
  return added.value
}

function uninstall(text: string, blocks: Parameters<typeof takeTables>[1]): string {
  const clean = takeTables(text, blocks, 'config.toml')
  if (!clean.ok) throw new Error(clean.error.message)
  return clean.value
}

const texts: readonly string[] = [
  '',
  '\n',
  'model = "gpt"',
  'model = "gpt" # mine',
  'model = "gpt"\r\n[tui]\r\ntheme = "dark"\r\n',
  '# only words',
  '[mcp_servers.other]\ncommand = "x"\n\n\n',
  '[hooks]\nStop = [{ hooks = [{ type = "command", command = "x" }] }]\n',
  'notes = """\n[mcp_servers.statewright]\n"""\n',
  "[[profiles]]\nname = 'a'\n[[profiles]]\nname = 'b'",
  'a.b."c d" = 1979-05-27T07:32:00Z\nlist = [\n  1, # one\n  2,\n]\n\t',
]

describe('tables in a TOML file', () => {
  test.each(texts)('go in and out again without a trace: %j', (text) => {
    const { text: installed, blocks } = install(text)
    expect(installed.startsWith(text)).toBe(true)
    const read = readToml(installed)
    expect(read.ok && read.value).toMatchObject({
      mcp_servers: { statewright: tables[0]?.values },
      hooks: { state: { '/home/ann/.codex/hooks.json:stop:0:0': tables[1]?.values } },
    })
    expect(uninstall(installed, blocks)).toBe(text)
  })

  test.each(texts)('go out from between what was written since: %j', (text) => {
    const { text: installed, blocks } = install(text)
    const since = '\n[projects."/home/ann/x"]\ntrust_level = "trusted"\n'
    const clean = uninstall(installed + since, blocks)
    expect(clean.startsWith(text)).toBe(true)
    expect(clean.endsWith(since)).toBe(true)
    expect(readToml(clean).ok).toBe(true)
    expect(clean).not.toContain('sw_x')
  })

  test('go out even when the client has written into them', () => {
    const { text, blocks } = install('model = "gpt"\n')
    const changed = text
      .replace('http_headers', 'enabled = true\nhttp_headers')
      .concat('enabled = false\n\n[tui]\ntheme = "dark"\n')
    const clean = uninstall(changed, blocks)
    expect(clean).not.toContain('statewright')
    expect(clean).not.toContain('hooks')
    expect(clean).toContain('[tui]\ntheme = "dark"\n')
    expect(readToml(clean).ok).toBe(true)
  })

  test('go out of a text with their like, and leave what stands between tables', () => {
    const like = 'notes = """\n[mcp_servers.statewright]\nurl = 1\n"""\n'
    const { text, blocks } = install(like)
    const [first = '', second = ''] = blocks.map((block) => block.text)
    const changed = text.replace(
      first,
      first.replace('127.0.0.1', '::1').replace('url', '# mine\nurl'),
    )
    const since = '\n# about the next\n[tui] # dark\nlist = [\n[1],\n]\n'
    const clean = uninstall(changed.replace(second, `${second}enabled = true\n${since}`), blocks)
    expect(clean.startsWith(like)).toBe(true)
    expect(clean.endsWith(since)).toBe(true)
    expect(clean.slice(like.length, -since.length).trim()).toBe('')
  })

  test('go beside numbers that JavaScript cannot count, and dates', () => {
    const text = 'big = 9223372036854775807\nday = 1979-05-27\n'
    const { text: installed, blocks } = install(text)
    expect(uninstall(installed, blocks)).toBe(text)
  })

  test('a fault names its line and shows nothing of the file', () => {
    const added = addTables('a = 1\nkey = hush\n', tables, 'config.toml')
    expect(added.ok ? '' : added.error.message).toMatch(/\(line 2: /)
    expect(added.ok ? '' : added.error.message).not.toContain('hush')
  })

  test.each([
    'mcp_servers = { other = { command = "x" } }',
    '[mcp_servers.statewright]\ncommand = "x"\n',
    '[mcp_servers.statewright.env]\nA = "b"\n',
    'mcp_servers.statewright.command = "x"',
    'mcp_servers = { statewright = { command = "x" } }',
    '[mcp_servers]\nstatewright = { command = "x" }',
    '[[mcp_servers]]\nname = "x"',
  ])('leave alone what is there already: %j', (text) => {
    const added = addTables(text, tables, 'config.toml')
    expect(added.ok ? '' : added.error.code).toBe('config_invalid')
  })

  test.each([
    'model = ',
    'model "gpt"',
    '[tui',
    'a = 1 b = 2',
    'a = "x\ny"',
    'a = """x',
    'a = [1, 2',
    'a = { b = 1',
    'a = 1\na = 2',
    '[a]\n[a]',
    'a = yes',
    '= 1',
    '{"model": "gpt"}',
  ])('never go into a file that cannot be read: %j', (text) => {
    const added = addTables(text, tables, 'config.toml')
    expect(added.ok ? '' : added.error.code).toBe('config_invalid')
  })

  test('reading is bounded, whatever it is given', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'[]{}="\'#a.\n \\1,') }), (text) => {
        const table = readToml(text)
        if (!table.ok) return
        const { text: installed, blocks } = install(text)
        expect(uninstall(installed, blocks)).toBe(text)
      }),
    )
    expect(readToml(`a = ${'['.repeat(5000)}`).ok).toBe(false)
  })
})
