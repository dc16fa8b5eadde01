import type { Command } from 'commander'

/** Only told here: `bin/statewright.mjs` answers client hooks before any of this is loaded. */
export function addHook(program: Command): void {
  program
    .command('hook')
    .description('answer one hook of a coding client (for clients that only run commands)')
    .argument('<client>', 'such as claude-code')
    .argument('<file>', 'file with address and key, written by "statewright install"')
    .addHelpText('after', help)
    .action(() => {})
}

const help = `
It reads the hook from standard input, asks the server and prints its answer in
the format of the client. Every error blocks: exit code 2 with a reason.

Examples:
  statewright hook claude-code ~/.statewright/clients/claude-code.json
`
