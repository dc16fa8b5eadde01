import { Command, CommanderError } from 'commander'
import { version } from '../app/version.ts'
import { addGroupHelp } from './group-help.ts'
import { requestedNouns } from './nouns.ts'
import { internalProblem, reportProblem } from './output/report.ts'
import { usageProblem } from './usage.ts'

/** Does what the words after `statewright` say; answers with the exit code. */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  const program = new Command('statewright')
    .description('A state machine between an AI agent and its tools.')
    .version(version, '-V, --version', 'print the version')
    // A noun has a --version of its own: that of a saved definition or policy.
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
    .showHelpAfterError(false)
  for (const add of await requestedNouns(args[0])) add(program)
  addGroupHelp(program)
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
