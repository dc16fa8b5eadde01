import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { runHosted } from '../packages/server/testing/hosted-command.ts'

const folder = mkdtempSync(join(tmpdir(), 'statewright-programs-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const write = (name: string, content: string) => writeFileSync(join(folder, name), content)
const configured = `shell:
  programs:
    fleet: { does: pass, subcommands: { list: { does: read } } }
`
write(
  'look.yaml',
  `id: look
initial: looking
states:
  looking:
    allowed_tools: [Read, Grep]
    on: { DONE: done }
  done: { type: final }
`,
)
write(
  'play.yaml',
  `definition: look.yaml
scenarios:
  - name: the shell only reads
    steps:
      - { tool: Bash, input: { command: fleet launch }, expect: deny }
`,
)

function run(...args: string[]) {
  return runHosted({ args, cwd: folder, environment: process.env })
}

describe('commands that judge without a server', () => {
  test('SH-5: shell check knows the programs of the configuration', async () => {
    expect((await run('shell', 'check', 'fleet list')).out).toContain('contained')
    write('statewright.yaml', configured)
    expect(await run('shell', 'check', 'fleet list')).toMatchObject({ exit: 0, out: 'allowed\n' })
    expect((await run('shell', 'check', 'fleet launch')).exit).toBe(3)
  })

  test('SH-5: run explain and workflow test know them as well', async () => {
    write('statewright.yaml', configured)
    write(
      'state.yaml',
      `id: state
initial: one
states:
  one: { allowed_tools: [Bash], on: { DONE: two } }
  two: { type: final }
`,
    )
    const input = (command: string) => JSON.stringify({ command })
    const explain = (command: string) =>
      run(
        ...['run', 'explain', '--definition', 'state.yaml', '--tool', 'Bash', '--json'],
        ...['--input', input(command)],
      )
    const [known, unknown] = [await explain('fleet list'), await explain('fleet launch')]
    expect(known.exit).toBe(0)
    expect(known.out).not.toContain('contain')
    expect(unknown.out).toContain('contain')
    expect((await run('workflow', 'test', 'play.yaml')).exit).toBe(0)
  })

  test('SH-5: a configuration that cannot be read is said, not skipped', async () => {
    write('statewright.yaml', 'shell: { programs: { fleet: { dose: read } } }\n')
    const { exit, talk } = await run('shell', 'check', 'fleet list')
    expect([exit, talk]).toEqual([expect.any(Number), expect.stringContaining('statewright.yaml')])
    expect(exit).not.toBe(0)
  })
})
