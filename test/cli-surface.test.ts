import { Command } from 'commander'
import { afterAll, describe, expect, test } from 'vitest'
import { addGroupHelp } from '../packages/server/src/cli/group-help.ts'
import { requestedNouns } from '../packages/server/src/cli/nouns.ts'
import { patience, Testbed, threeLines } from '../packages/server/testing/testbed.ts'

const program = new Command('statewright')
for (const add of await requestedNouns(undefined)) add(program)
addGroupHelp(program)

/** Every command that does something, by the words that lead to it. */
function leaves(command: Command, words: readonly string[] = []): [string, Command][] {
  if (command.commands.length === 0) return [[words.join(' '), command]]
  return command.commands.flatMap((one) => leaves(one, [...words, one.name()]))
}

function helpOf(command: Command): string {
  let text = ''
  const writeOut = (more: string) => {
    text += more
  }
  command.configureOutput({ writeOut, getOutHelpWidth: () => 80 }).outputHelp()
  return text
}

/** Streams into a client's own protocol, or prints a script: JSON has no place there. */
const withoutJson = new Set(['mcp', 'hook', 'exec', 'completion', 'demo', 'status-line'])

const commands = leaves(program)

describe.each(commands)('statewright %s', (name, command) => {
  const help = helpOf(command)

  test('has help that fits into 80 columns, with an example', () => {
    const [options = '', after = ''] = help.split(/\nExamples?:\n/)
    // What is typed in an example may be as long as it has to be; what we say may not.
    const words = after.split('\n').filter((line) => !line.startsWith('  '))
    const output = [...options.split('\n'), ...words]
    expect(output.filter((line) => line.length > 80)).toEqual([])
    expect(help).toMatch(/\nExamples?:\n {2}(echo|\w+=|\S+ \| )?.*statewright /)
    expect(help).toContain(`statewright ${name.split(' ')[0]}`)
    expect(command.description()).not.toBe('')
  })

  test('speaks JSON where it answers with data', () => {
    const hasJson = command.options.some(({ long }) => long === '--json')
    expect([name, hasJson]).toEqual([name, !withoutJson.has(name.split(' ')[0] ?? '')])
  })
})

const groups = program.commands.filter((one) => one.commands.length > 0)

describe.each([program, ...groups].map((one) => [one.name(), one] as const))(
  'the help of %s',
  (_, command) => {
    test('fits into 80 columns, has an example that exists, and says where there is more', () => {
      const help = helpOf(command)
      expect(help.split('\n').filter((line) => line.length > 80)).toEqual([])
      const shown = [...help.matchAll(/^ {2}(?:\w+=\$\()?statewright ([a-z-]+)(?: ([a-z]+))?/gm)]
      expect(shown.length).toBeGreaterThan(0)
      for (const [, noun = '', verb = ''] of shown) {
        const found = program.commands.find((one) => one.name() === noun)
        expect(found, noun).toBeDefined()
        if (found === undefined || found.commands.length === 0) continue
        expect(found.commands.map((one) => one.name())).toContain(verb)
      }
      expect(help).toContain('COMMAND --help" explains each command')
      if (command === program) expect(help).toContain('/docs')
    })
  },
)

describe('exit codes and errors', () => {
  const testbed = new Testbed()
  afterAll(() => testbed.close())

  test.each([
    [['workflow', 'chek'], 2, 'usage'],
    [['run', 'show', 'run_1', '--jsno'], 2, 'usage'],
    [['workflow', 'check', 'none.yaml'], 4, 'file_unreadable'],
    [['workflow', 'new', 'none'], 4, 'unknown_workflow'],
    [['run', 'list'], 6, 'server_unreachable'],
    [['session', 'list'], 6, 'server_unreachable'],
    [['init', '--mode', 'lax', '--yes'], 2, 'usage'],
  ])('%j ends with %i and three lines', patience, async (args, exit, code) => {
    // Nobody listens at port 9, and nobody may find a server of this machine by chance.
    const ran = await testbed.run(args, { STATEWRIGHT_URL: 'http://127.0.0.1:9' })
    expect([ran.exit, ran.out]).toEqual([exit, ''])
    expect(ran.talk).toMatch(threeLines(code))
    expect(ran.talk).not.toContain('\u001b[')
  })
})
