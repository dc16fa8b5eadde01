import { Command, CommanderError } from 'commander'
import { internalProblem, reportProblem } from './report.ts'
import { usageProblem } from './usage.ts'

type AddCommands = (program: Command) => void

/** Each noun is loaded when it is asked for: a quick answer must not wait for the server. */
const nouns: Readonly<Record<string, () => Promise<AddCommands>>> = {
  up: async () => (await import('./up.ts')).addUp,
  demo: async () => (await import('./demo.ts')).addDemo,
  init: async () => (await import('./init.ts')).addInit,
  workflow: async () => (await import('./workflow.ts')).addWorkflow,
  run: async () => (await import('./run.ts')).addRun,
  approval: async () => (await import('./approval.ts')).addApproval,
  shell: async () => (await import('./shell.ts')).addShell,
  login: async () => (await import('./login.ts')).addLogin,
  token: async () => (await import('./token.ts')).addToken,
  config: async () => (await import('./config.ts')).addConfig,
  mcp: async () => (await import('./mcp.ts')).addMcp,
  hook: async () => (await import('./hook.ts')).addHook,
  install: async () => (await import('./install.ts')).addInstall,
  uninstall: async () => (await import('./install.ts')).addUninstall,
  schema: async () => (await import('./schema.ts')).addSchema,
  completion: async () => (await import('./completion.ts')).addCompletion,
}
const aliases: Readonly<Record<string, string>> = { serve: 'up' }

async function main(args: readonly string[]): Promise<number> {
  const program = new Command('statewright')
    .description('A state machine between an AI agent and its tools.')
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
    .showHelpAfterError(false)
  for (const load of await wantedNouns(args[0])) load(program)
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

async function wantedNouns(first: string | undefined): Promise<AddCommands[]> {
  const name = first === undefined ? '' : (Object.hasOwn(aliases, first) && aliases[first]) || first
  // Completion knows every command by looking at them all.
  const isOne = Object.hasOwn(nouns, name) && name !== 'completion'
  const wanted = isOne ? [nouns[name]] : Object.values(nouns)
  return Promise.all(wanted.map((load) => load?.()).filter((load) => load !== undefined))
}

// A reader that has seen enough, such as `head`, closes the pipe: that is no fault of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
})

process.exitCode = await main(process.argv.slice(2))
