import { readlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { isAbsolute } from 'node:path'
import { err, ok, type Problem, type Result } from '@statewright/core/internal'
import type { Command } from 'commander'
import { version } from '../../app/version.ts'
import { serveNothing } from '../../mcp/serve-nothing.ts'
import { serveBridge } from '../../mcp/stdio-bridge.ts'
import { findServer } from '../api/find-server.ts'
import { reportProblem } from '../output/report.ts'

interface McpOptions {
  readonly key?: string
  readonly session?: string
  readonly client?: string
  readonly folder?: string
}

export function addMcp(program: Command): void {
  program
    .command('mcp')
    .description('serve the MCP tools of Statewright on standard input and output')
    .option('--key <file>', 'file with address and key, written by "statewright install"')
    .option('--session <id>', 'the client session that this connection belongs to')
    .option('--client <name>', 'the coding client that starts it')
    .option('--folder <path>', 'folder that the client works in; the current one when left out')
    .addHelpText('after', help)
    .action(serve)
}

const help = `
It asks the running server and is not a second one. With --key that is the
server of the project in which it is started; where nothing is installed, it
offers no tools. Without --key the server is found as by every command, and the
key is STATEWRIGHT_TOKEN: a token of an agent, never the login of a person.

Example:
  STATEWRIGHT_TOKEN=$(statewright token create --kind agent) statewright mcp
`

function serve(options: McpOptions): void {
  const key = findKey(options)
  if (!key.ok) {
    process.exitCode = reportProblem(key.error)
    return
  }
  if (key.value === undefined) {
    serveNothing(version)
    return
  }
  const session = options.session ?? process.env.CLAUDE_CODE_SESSION_ID
  const bridge = serveBridge({
    ...key.value,
    ...(options.client === undefined ? {} : { client: options.client }),
    ...(session === undefined || session === '' ? {} : { session }),
    onFault: (fault) => process.stderr.write(`${fault instanceof Error ? fault.message : fault}\n`),
  })
  const stop = () => void bridge.close().then(() => process.exit(0))
  process.once('SIGTERM', stop).once('SIGINT', stop)
  process.stdin.once('end', stop)
}

interface Key {
  readonly url: string
  readonly token: string
}

/** Undefined where the key file has no key for this folder: nobody guards it. */
function findKey({ key, folder = '' }: McpOptions): Result<Key | undefined, Problem> {
  const folders = isAbsolute(folder) ? [folder] : [process.cwd(), ...clientFolder()]
  const found = key === undefined ? fromEnvironment() : fromFile(key, folders)
  if (!found.ok || found.value === undefined) return found
  // An agent that speaks with a person's token could approve what it asked for itself.
  if (!/^sw_(agent|hook)_/.test(found.value.token)) {
    return err({
      code: 'not_permitted',
      message: 'This key does not belong to an agent.',
      where: key ?? 'STATEWRIGHT_TOKEN',
      next: 'create one with "statewright token create --kind agent".',
    })
  }
  return found
}

/**
 * Where the client itself works, as far as the kernel shows it: some start the server of a plugin
 * in the folder of the plugin.
 */
function clientFolder(): readonly string[] {
  try {
    return [readlinkSync(`/proc/${process.ppid}/cwd`)]
  } catch {
    return []
  }
}

function fromEnvironment(): Result<Key, Problem> {
  const server = findServer(process.env, process.cwd())
  if (!server.ok) return server
  return ok({ url: server.value.url, token: process.env.STATEWRIGHT_TOKEN ?? '' })
}

// The hook command loads it as well, and has no time for the loader of modules.
const { chooseKey } = createRequire(import.meta.url)('../../../bin/project-key.cjs') as {
  // Written beside it, in the same words.
  chooseKey(file: string, call: () => { folders: readonly string[] }): Key | undefined
}

function fromFile(file: string, folders: readonly string[]): Result<Key | undefined, Problem> {
  try {
    return ok(chooseKey(file, () => ({ folders })))
  } catch (fault) {
    const why = fault instanceof Error ? fault.message : String(fault)
    const message = `The key cannot be read (${why.slice(0, 200)}).`
    return err({ code: 'file_unreadable', message, where: file, next: 'install it again.' })
  }
}
