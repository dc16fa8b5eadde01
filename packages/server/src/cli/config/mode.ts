import { endpoints, type HeldMode, Mode, type ModeNow } from '@statewright/core/wire'
import { Argument, type Command } from 'commander'
import { call, type JsonOption, printJson, say, withServer } from '../command.ts'
import { printable } from '../output/report.ts'

const help = `
Observing lets every call pass and records what the rules would have stopped. A
switch holds at once and over restarts, until the configuration itself changes
its word. Only a person switches; towards observe the PIN is asked for.

Examples:
  statewright config mode
  statewright config mode observe
`

export function addConfigMode(config: Command): void {
  config
    .command('mode')
    .description('say whether rules are enforced or only observed, or switch')
    .addArgument(new Argument('[mode]', 'what holds from now on').choices(Mode.options))
    .option('--json', 'print one JSON object')
    .addHelpText('after', help)
    .action(configMode)
}

async function configMode(mode: Mode | undefined, options: JsonOption): Promise<void> {
  await withServer(async (client) => {
    const now =
      mode === undefined
        ? await call(client, endpoints.getMode)
        : await call(client, endpoints.setMode, { body: { mode } })
    if (options.json === true) {
      printJson(now)
      return
    }
    process.stdout.write(`${printable(now.mode)}\n`)
    for (const line of modeLines(now)) say(line)
    for (const line of stoppedLines(now)) say(line)
  })
}

/** Whose word the mode is, in lines for a person. */
export function modeLines({ mode, configured, origin, choice, ended }: HeldMode): string[] {
  const where = `The configuration says ${configured} (${origin}).`
  if (choice !== null) {
    const when = new Date(choice.at).toISOString()
    return [
      `${choice.by} chose ${mode} at ${when}; it holds until the configuration changes.`,
      where,
    ].map(printable)
  }
  if (ended === null) return [where].map(printable)
  const lost = `That ${ended.by} chose ${ended.mode} ended when the configuration changed.`
  return [where, lost].map(printable)
}

function stoppedLines({ mode, stopped }: ModeNow): string[] {
  const calls = stopped.count === 1 ? '1 call' : `${stopped.count} calls`
  const were = stopped.count === 1 ? 'was stopped' : 'were stopped'
  const verb = mode === 'observe' ? 'would have been stopped' : were
  const newest = stopped.latest
    .slice(0, 5)
    .map(({ run_id, tool, code }) => printable(`  ${run_id}  ${tool}  ${code ?? ''}`))
  return [`Since then ${calls} ${verb}${newest.length > 0 ? ':' : '.'}`, ...newest]
}
