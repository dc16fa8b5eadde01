import { Command, CommanderError } from 'commander'
import { wantedNouns } from './nouns.ts'
import { internalProblem, reportProblem } from './report.ts'
import { usageProblem } from './usage.ts'

async function main(args: readonly string[]): Promise<number> {
  const program = new Command('statewright')
    .description('A state machine between an AI agent and its tools.')
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
    .showHelpAfterError(false)
  for (const add of await wantedNouns(args[0])) add(program)
  try {
    if (args.length === 0) {
      process.stderr.write(program.helpInformation())
      return 2
    }
    await program.parseAsync(args, { from: 'user' })
    return Number(process.exitCode ?? 0)
  } catch (error) {
    if (!(error instanceof CommanderError)) return reportProblem(internalProblem(error))
    if (error.exitCode === 0) return 0
    return reportProblem(usageProblem(error, program, args))
  }
}

// A reader that has seen enough, such as `head`, closes the pipe: that is no fault of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
})

process.exitCode = await main(process.argv.slice(2))
