import type { Command } from 'commander'

/** An example of each noun, under the list of its commands. */
const examples: Readonly<Record<string, readonly string[]>> = {
  workflow: ['statewright workflow check bugfix.yaml', 'statewright workflow push bugfix.yaml'],
  process: ['statewright process push deploy.yaml', 'statewright process start deploy'],
  policy: ['statewright policy list', 'statewright policy explain --capability bash'],
  run: ['RUN=$(statewright run start bugfix)', 'statewright run show $RUN'],
  archive: ['statewright archive due --keep 90d', 'statewright archive list'],
  session: ['statewright session start --workflow bugfix', 'statewright session list'],
  approval: ['statewright approval list', 'statewright approval watch'],
  shell: ['statewright shell check --explain "git push"'],
  token: ['statewright token create --kind agent --name ci', 'statewright token list'],
  config: ['statewright config show', 'statewright config accept'],
}

const programHelp = `
Examples:
  statewright demo                  # watch a scripted agent, nothing to set up
  statewright init                  # a first workflow for this project
  statewright up                    # its server and dashboard
  statewright install claude-code   # guard a coding client
  statewright run list              # what agents are doing

"statewright COMMAND --help" explains each command. The server has the guide at
/docs: http://127.0.0.1:4747/docs while "statewright up" runs.
`

/** Help of the program and of its nouns; commands have theirs where they are defined. */
export function addGroupHelp(program: Command): void {
  program.addHelpText('after', programHelp)
  const groups = program.commands.filter(({ commands }) => commands.length > 0)
  for (const group of groups) {
    const shown = examples[group.name()] ?? []
    const lines = shown.map((line) => `  ${line}\n`).join('')
    const title = shown.length === 1 ? 'Example' : 'Examples'
    group.addHelpText(
      'after',
      `\n${title}:\n${lines}\n"statewright ${group.name()} COMMAND --help" explains each ` +
        'command.\n',
    )
  }
}
