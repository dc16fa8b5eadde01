// Runs commands of ours one after the other in one process, as each would run in one of its own:
// with its words, its folder, its environment, and what it wrote and ended with as the answer.
import { runCommandLine } from '../src/cli/command-line.ts'

export interface HostedCommand {
  readonly args: readonly string[]
  readonly cwd: string
  readonly environment: NodeJS.ProcessEnv
}

process.on('message', (command: HostedCommand) => {
  void answer(command).then((ran) => process.send?.(ran))
})

async function answer({ args, cwd, environment }: HostedCommand) {
  process.chdir(cwd)
  process.env = { ...environment }
  process.exitCode = undefined
  const out = collect(process.stdout)
  const talk = collect(process.stderr)
  const exit = await runCommandLine(args)
  return { exit, out: out(), talk: talk() }
}

/** Takes what is written from now on; the answer ends it. */
function collect(stream: NodeJS.WriteStream): () => string {
  const chunks: Buffer[] = []
  const write = stream.write
  const take = (chunk: string | Uint8Array, ...rest: unknown[]) => {
    chunks.push(Buffer.from(chunk))
    const done = rest.findLast((one) => typeof one === 'function')
    if (typeof done === 'function') process.nextTick(() => done())
    return true
  }
  stream.write = take as typeof stream.write // Its overloads differ in arguments that we pass by.
  return () => {
    stream.write = write
    return Buffer.concat(chunks).toString('utf8')
  }
}
