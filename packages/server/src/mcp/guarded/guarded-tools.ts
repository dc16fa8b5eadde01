import type { JsonObject } from '@statewright/core/internal'
import { z } from 'zod'
import type { Guard } from '../../guard/guard.ts'
import { runCommand as runGuarded, shieldOf } from '../../guard/run-command.ts'
import { editFile, grep, listFiles, readFile, writeFile } from '../../tools/all.ts'
import type { Tool } from '../../tools/tool.ts'
import { openWorkspace } from '../../tools/workspace/workspace.ts'
import type { GuardedHost, GuardedOutput, GuardedTool } from './guarded-tool.ts'

/**
 * The gateway's own file and shell tools: those of our sessions, under the names that definitions
 * use. They never leave the workspace, by whatever link.
 */
export function guardedTools(guard: Guard): ReadonlyMap<string, GuardedTool> {
  const tools = [
    fileTool(guard, 'Read', readFile, { isReading: true }),
    fileTool(guard, 'Write', writeFile, { isReading: false }),
    fileTool(guard, 'Edit', editFile, { isReading: false }),
    shellTool(guard),
    fileTool(guard, 'Grep', grep, { isReading: true }),
    fileTool(guard, 'Glob', listFiles, { isReading: true }),
  ]
  return new Map(tools.map((tool) => [tool.name, tool]))
}

function fileTool(
  guard: Guard,
  name: string,
  tool: Tool,
  { isReading }: { isReading: boolean },
): GuardedTool {
  return {
    name,
    listed: listedAs(name, tool.description, tool.inputSchema, isReading),
    async run(input, { workspace: folder, signal }) {
      const workspace = openWorkspace(folder, shieldOf(guard, { workspace: folder }))
      if (!workspace.ok) return fault(workspace.error.message)
      const done = await tool.run(input, {
        workspace: workspace.value,
        signal,
        timeoutMs: defaultMs,
        // None of these tools starts a command.
        runChild: async () => ({ type: 'not_started', message: 'no commands here' }),
        environment: {},
      })
      return done.ok ? done.value : fault(done.error.message)
    },
  }
}

const defaultMs = 2 * 60_000
const longestMs = 10 * 60_000
const outputLimit = 1024 * 1024

const Command = z.strictObject({
  command: z.string().min(1).max(100_000),
  timeout_ms: z.int().min(1).max(longestMs).optional(),
})

function shellTool(guard: Guard): GuardedTool {
  const description =
    'Runs a bash command in the workspace. Background processes are ended with it.'
  return {
    name: 'Bash',
    listed: listedAs('Bash', description, z.toJSONSchema(Command, { io: 'input' }), false),
    async run(input, host) {
      const parsed = Command.safeParse(input)
      if (!parsed.success) return fault(z.prettifyError(parsed.error))
      return runCommand(guard, parsed.data, host)
    },
  }
}

async function runCommand(
  guard: Guard,
  { command, timeout_ms: timeoutMs = defaultMs }: z.infer<typeof Command>,
  { open, workspace, signal }: GuardedHost,
): Promise<GuardedOutput> {
  const ran = await runGuarded(guard, {
    open,
    tool: 'Bash',
    input: { command },
    command,
    workspace,
    cwd: workspace,
    timeoutMs,
    outputLimit,
    signal,
  })
  if (!ran.ok) return fault(`${ran.error.code}: ${ran.error.message}`)
  const { stdout, stderr, exit, ended, isTruncated } = ran.value
  const end = ended === 'itself' ? `exit code ${exit}` : `ended: ${ended}`
  const cut = isTruncated ? '\n[the output was longer and is cut off]' : ''
  const isError = exit !== 0
  return { text: `${stdout}${stderr}${cut}${isError ? `\n[${end}]` : ''}`, isError }
}

function listedAs(
  name: string,
  description: string,
  schema: JsonObject | object,
  isReading: boolean,
): GuardedTool['listed'] {
  return {
    name,
    description,
    inputSchema: { ...schema, type: 'object' },
    annotations: { readOnlyHint: isReading, openWorldHint: name === 'Bash' },
  }
}

function fault(text: string): GuardedOutput {
  return { text, isError: true }
}
