import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { HostedCommand } from './command-host.ts'

export interface CommandResult {
  readonly exit: number | null
  readonly out: string
  readonly talk: string
}

const program = fileURLToPath(new URL('command-host.ts', import.meta.url))
// What the command itself does before anything else.
const quiet = new URL('../bin/quiet-sqlite.mjs', import.meta.url).href

let host: ChildProcess | undefined
let last: Promise<unknown> = Promise.resolve()

/** Runs a command in the one host of this test file, after those that were asked for before. */
export function runHosted(command: HostedCommand): Promise<CommandResult> {
  const ran = last.then(() => ask(command))
  last = ran.catch(() => {})
  return ran
}

function ask(command: HostedCommand): Promise<CommandResult> {
  host ??= start()
  const child = host
  return new Promise((resolve, reject) => {
    const ended = () => reject(new Error(`the host ended at: ${command.args.join(' ')}`))
    child.once('exit', ended)
    child.once('message', (ran) => {
      child.off('exit', ended)
      resolve(ran as CommandResult) // What the host sends.
    })
    child.send(command)
  })
}

/** It ends when the channel to it does: when this process has ended. */
function start(): ChildProcess {
  const child = fork(program, {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    execArgv: ['--import', quiet],
  })
  child.unref()
  child.channel?.unref()
  child.once('exit', () => {
    host = undefined
  })
  return child
}
