import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hookProgram, writeHookProgram } from '../packages/server/src/home/hook-program.ts'
import { type BenchResult, quantile } from './measure.ts'
import { benchWorkflow, elapsedMs, post, startOurs, temporaryFolder } from './server-kit.ts'

/** The server has judged for a while, as those of users have: so many that it runs compiled. */
const serverWarmUp = 3000
const warmUp = 5
const rounds = 40

/** One hook of a client that only runs commands, judged and answered, against an empty Node. */
export async function benchHookCommand(): Promise<BenchResult> {
  const folder = temporaryFolder()
  const server = await startOurs(folder.path)
  try {
    await post(server, '/api/workflows/bench', benchWorkflow, 'PUT')
    await post(server, '/api/runs', { workflow: 'bench', session: 'bench' })
    // The copy that `install` lays down, which is what clients start.
    const home = { HOME: folder.path }
    writeHookProgram(home)
    const { hookFile } = hookProgram(home)
    const empty = join(folder.path, 'empty.cjs')
    const keyFile = join(folder.path, 'key.json')
    writeFileSync(empty, '')
    const made = await post(server, '/api/tokens', { kind: 'hook', name: 'bench' })
    writeFileSync(
      keyFile,
      JSON.stringify({ url: server.url, hook_token: JSON.parse(made.body).token }),
    )
    const sender = { ...server, token: JSON.parse(made.body).token }
    for (let index = 0; index < serverWarmUp; index++) {
      const { status } = await post(sender, '/hooks/codex', JSON.parse(hookOf(-warmUp - 1 - index)))
      if (status !== 200) throw new Error(`a hook was answered with ${status}`)
    }
    const our: number[] = []
    const their: number[] = []
    // In turn, so that a busy machine disturbs both alike.
    for (let round = -warmUp; round < rounds; round++) {
      const ourMs = await run([hookFile, 'codex', keyFile], hookOf(round), '{}')
      const theirMs = await run([empty], '', '')
      if (round < 0) continue
      our.push(ourMs)
      their.push(theirMs)
    }
    const value = quantile(our, 0.5)
    const baseline = quantile(their, 0.5)
    return {
      name: 'hook_command',
      value,
      unit: 'ms (median)',
      baseline,
      against: 'empty Node',
      ratio: value / baseline,
      target: '<= 1.3',
      more: { p90: quantile(our, 0.9) },
    }
  } finally {
    await server.close()
    folder.remove()
  }
}

function hookOf(round: number): string {
  return JSON.stringify({
    session_id: 'bench',
    cwd: '/',
    hook_event_name: 'PreToolUse',
    tool_name: 'Read',
    tool_input: { file_path: 'src/index.ts' },
    tool_use_id: `call_${round}`,
  })
}

async function run(args: readonly string[], input: string, expected: string): Promise<number> {
  const started = process.hrtime.bigint()
  const child = spawn(process.execPath, args, { env: {}, stdio: ['pipe', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString('utf8')
  })
  child.stdin.on('error', () => {}).end(input)
  const [code] = await once(child, 'close')
  const tookMs = elapsedMs(started)
  if (code !== 0 || output !== expected) throw new Error(`a hook answered ${code}: ${output}`)
  return tookMs
}
