import { type JsonObject, processJsonSchema, workflowJsonSchema } from '@statewright/core/internal'
import { configJsonSchema } from '../../packages/server/src/config/schema.ts'
import { routine } from '../../packages/server/src/mcp/routine/routine-tools.ts'
import { ownTools } from '../../packages/server/src/mcp/tools/all.ts'
import { codesPage } from './codes.ts'
import { commandsPage } from './commands.ts'
import { fieldTable, table } from './fields.ts'
import { programsPage } from './programs.ts'
import { runningRoutes } from './routes.ts'

const made = '<!-- Written by "npm run reference" from the code; edit it there. -->'

/** The reference, by file name under docs/reference. */
export async function referencePages(): Promise<ReadonlyMap<string, string>> {
  return new Map([
    ['workflow.md', page('Workflow fields', workflowIntro, fieldTable(workflowJsonSchema()))],
    ['process.md', page('Process fields', processIntro, fieldTable(processJsonSchema()))],
    ['config.md', page('Configuration', configIntro, fieldTable(configJsonSchema()))],
    ['tools.md', toolsPage()],
    ['api.md', await apiPage()],
    ['cli.md', page('Command line', cliIntro, await commandsPage())],
    ['codes.md', page('Codes', codesIntro, codesPage())],
    ['shell-programs.md', page('Programs of the shell', programsIntro, programsPage())],
  ])
}

const workflowIntro = `A definition is JSON or YAML. An unknown field is an error. \`<name>\` is a
name that you choose; \`[]\` means each item of a list.`
const processIntro = 'A process is JSON or YAML and asks questions; an unknown field is an error.'
const configIntro = `These settings belong in \`statewright.yaml\` of the project, or in your own
\`~/.config/statewright/config.yaml\`. If a setting is in several places, the first of these is
used: a flag, a \`STATEWRIGHT_*\` variable, the project's file, your own file, the default.`
const codesIntro =
  'The meaning of a code never changes. The exit code is that of the command line, ' +
  'the status that of the HTTP API.'

const cliIntro = `Every command has \`--help\` with examples. Results go to standard output,
messages to standard error; with \`--json\` a command prints JSON. Options in angle brackets take a
value.`

const programsIntro = `What Statewright knows about programs (SH-5). A program, subcommand or
option that is not listed here is unknown, and in a read-only state a command with it runs
contained. A colon marks an option with a value, a question mark an option whose value is attached
to it, \`-#\` a number. \`flag\` options do not change what the program does; with a \`quiet\`
option it only prints; all other options write, run or read something. Add your own programs under
\`shell.programs\` in the [configuration](config.md).`

function page(title: string, intro: string, body: string): string {
  return `${made}\n\n# ${title}\n\n${intro}\n\n${body}\n`
}

function toolsPage(): string {
  const more = routine.filter((tool) => !ownTools.includes(tool))
  const pieces = [...ownTools, ...more].map((tool) => {
    const { name, description, inputSchema, outputSchema } = tool
    // Published schemas are plain JSON.
    const input = fieldTable(inputSchema as unknown as JsonObject)
    // As above.
    const output = fieldTable(outputSchema as unknown as JsonObject)
    const shapes = ['It takes:', input, 'It answers with:', output]
    return [`## \`${name}\``, description, ...shapes].join('\n\n')
  })
  const intro = `Tools of ours at \`/mcp\`; those of processes, memory and tasks at
\`/mcp/process\`. A refusal is a result with \`isError\` and a code.`
  return page('MCP tools', intro, pieces.join('\n\n'))
}

async function apiPage(): Promise<string> {
  const routes = (await runningRoutes()).toSorted((one, other) => {
    return one.path === other.path ? 0 : one.path < other.path ? -1 : 1
  })
  const rows = routes.map(({ method, path, who, summary }) => [
    `\`${method} ${path}\``,
    who === 'public' ? 'anybody' : who,
    summary,
  ])
  const intro = `Bodies and answers are described at \`/api/openapi.json\`. The second column is the
least kind of token: a person may do what an agent may, an agent what a hook may.`
  return page('HTTP API', intro, table(['call', 'who', 'does'], rows))
}
