import { Command } from 'commander'
import { requestedNouns } from '../../packages/server/src/cli/nouns.ts'
import { table } from './fields.ts'

/** Every command with what it takes, by noun, and what its exit code means. */
export async function commandsPage(): Promise<string> {
  const program = new Command('statewright')
  for (const add of await requestedNouns(undefined)) add(program)
  const pieces = program.commands.flatMap((one) => sections(one, ''))
  return [`## Exit codes\n\n${exitTable}`, ...pieces].join('\n\n')
}

const exitTable = table(
  ['exit code', 'means'],
  [
    ['0', 'done'],
    ['1', 'a fault'],
    ['2', 'the command line is wrong'],
    ['3', 'the rules said no, or what was checked is not as it should be'],
    ['4', 'not found'],
    ['5', 'a person has to decide first'],
    ['6', 'the server is not reachable'],
    ['130', 'cancelled or stopped'],
  ],
)

function sections(command: Command, before: string): string[] {
  const name = `${before}${command.name()}`
  if (command.commands.length > 0) {
    return [
      `## ${name}`,
      sentence(command.description()),
      ...command.commands.flatMap((one) => sections(one, `${name} `)),
    ]
  }
  const heading = `${before === '' ? '##' : '###'} \`${usage(name, command)}\``
  const rows = [
    ...command.registeredArguments
      .filter(({ description }) => description !== '')
      .map((argument) => [`\`${argument.name()}\``, argument.description]),
    ...command.options.map((option) => [`\`${option.flags}\``, meaning(option)]),
  ]
  const takes = rows.length === 0 ? [] : [table(['takes', 'means'], rows)]
  return [heading, sentence(command.description()), ...takes]
}

function usage(name: string, { registeredArguments }: Command): string {
  const args = registeredArguments.map((argument) => {
    const more = argument.variadic ? `${argument.name()}…` : argument.name()
    return argument.required ? ` <${more}>` : ` [${more}]`
  })
  return `${name}${args.join('')}`
}

function meaning({ description, argChoices }: Command['options'][number]): string {
  if (argChoices === undefined) return description
  return `${description} (${argChoices.join(', ')})`
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}
