import { nearestNames, type Problem } from '@statewright/core/internal'
import type { Command, CommanderError } from 'commander'

/** Says what was wrong with a command line, with the nearest names that exist. */
export function usageProblem(
  error: CommanderError,
  program: Command,
  args: readonly string[],
): Problem {
  const { command, rest } = deepest(program, args)
  const where = fullName(command)
  const help = `run "${where} --help" to see what it takes.`
  if (error.code === 'commander.help') {
    const names = command.commands.map((one) => one.name()).join(', ')
    return { code: 'usage', message: `${where} needs one of: ${names}.`, where, next: help }
  }
  const wanted = unknownWord(error, rest)
  const known =
    error.code === 'commander.unknownOption'
      ? command.options.map((option) => option.long ?? '')
      : command.commands.flatMap((one) => [one.name(), ...one.aliases()])
  const option = command.options.find(({ long }) => long === `--${wanted}`)?.long
  const near = option ? [option] : wanted === undefined ? [] : nearestNames(wanted, known)
  const message = sentence(error.message)
  if (near.length === 0) return { code: 'usage', message, where, next: help }
  return { code: 'usage', message, where, next: `did you mean ${near.join(' or ')}?` }
}

function deepest(program: Command, args: readonly string[]): { command: Command; rest: string[] } {
  let command = program
  const rest = [...args]
  for (let word = rest[0]; word !== undefined; word = rest[0]) {
    const name = word
    const next = command.commands.find((one) => [one.name(), ...one.aliases()].includes(name))
    if (next === undefined) break
    command = next
    rest.shift()
  }
  return { command, rest }
}

function unknownWord(error: CommanderError, rest: readonly string[]): string | undefined {
  if (error.code === 'commander.unknownCommand') return rest.find((word) => !word.startsWith('-'))
  if (error.code !== 'commander.unknownOption') return undefined
  return /'(-[^']*)'/.exec(error.message)?.[1]
}

function fullName(command: Command): string {
  const names: string[] = []
  for (let at: Command | null = command; at !== null; at = at.parent) names.unshift(at.name())
  return names.join(' ')
}

function sentence(message: string): string {
  const plain = message.replace(/^error: /, '').split('\n')[0] ?? ''
  return `${plain.charAt(0).toUpperCase()}${plain.slice(1).replace(/\.$/, '')}.`
}
