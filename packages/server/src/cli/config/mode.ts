import { endpoints, type HeldMode, Mode, type ModeNow } from '@statewright/core/wire'
import { Argument, type Command } from 'commander'
import { call, type JsonOption, printJson, say, withServer } from '../command.ts'
import { printable } from '../output/report.ts'

const help = `
Observe mode lets calls pass and records what the rules would have stopped; only
calls that would touch Statewright itself are still denied. A switch takes
effect at once and survives restarts, until the configured mode changes. Only a
person can switch; switching to observe asks for the PIN.

Examples:
  statewright config mode
  statewright config mode observe
`

export function addConfigMode(config: Command): void {
  config
    .command('mode')
    .description('show or switch the mode: enforce the rules, or only observe')
    .addArgument(new Argument('[mode]', 'the new mode').choices(Mode.options))
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
      `${choice.by} switched to ${mode} at ${when}, until the configured mode changes.`,
      where,
    ].map(printable)
  }
  if (ended === null) return [where].map(printable)
  const lost = `The switch to ${ended.mode} by ${ended.by} ended when the configured mode changed.`
  return [where, lost].map(printable)
}

function stoppedLines({ mode, stopped }: ModeNow): string[] {
  const calls = stopped.count === 1 ? '1 call' : `${stopped.count} calls`
  const were = stopped.count === 1 ? 'was stopped' : 'were stopped'
  const verb = mode === 'observe' ? 'would have been stopped' : were
  const line = `${calls} ${verb} since this mode began`
  const newest = stopped.latest
    .slice(0, 5)
    .map(({ run_id, tool, code }) => printable(`  ${run_id}  ${tool}  ${code ?? ''}`))
  return [`${line}${newest.length > 0 ? ':' : '.'}`, ...newest]
}
