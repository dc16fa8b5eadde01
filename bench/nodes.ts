import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import pg from 'pg'
import { startPostgres } from '../packages/server/testing/postgres.ts'
import { type BenchResult, median } from './measure.ts'
import { type BenchServer, startOurs, temporaryFolder } from './server-kit.ts'

const callers = 32
const roundS = 4
const rounds = 3

/**
 * Decisions per second of one node and of two on one Postgres, over HTTP and durable, beside what
 * `pgbench` gets out of the same Postgres with the same writes and nothing else.
 */
export async function benchNodes(): Promise<BenchResult> {
  const folder = temporaryFolder()
  const postgres = await startPostgres({ syncsDisk: true })
  const servers: BenchServer[] = []
  try {
    const databaseUrl = await postgres.database()
    for (const name of ['one', 'two']) {
      const data = join(folder.path, name)
      mkdirSync(data)
      servers.push(await startOurs(data, ['--database-url', databaseUrl]))
    }
    const load = await Load.begin(servers)
    await load.speed(servers)
    const script = await pgbenchScript(folder.path, databaseUrl)
    const [one, two, plain]: [number[], number[], number[]] = [[], [], []]
    for (let round = 0; round < rounds; round++) {
      one.push(await load.speed(servers.slice(0, 1)))
      two.push(await load.speed(servers))
      const speed = await pgbench(script, databaseUrl)
      if (speed !== undefined) plain.push(speed)
    }
    const result = { name: 'nodes', value: median(two), unit: 'decisions/s on two nodes' }
    const more = { one_node: median(one) }
    if (plain.length === 0) {
      process.stderr.write('pgbench is not installed (Debian: postgresql-contrib): no baseline\n')
      return { ...result, more }
    }
    const baseline = median(plain)
    const ratio = median(two) / baseline
    return { ...result, baseline, against: 'pgbench', ratio, target: 'at least 0.6', more }
  } finally {
    await Promise.all(servers.map((server) => server.close()))
    await postgres.stop()
    folder.remove()
  }
}

/** Callers that each ask about one call after the other, on a run and a connection of their own. */
class Load {
  readonly #runs: readonly string[]
  readonly #agent = new Agent({ keepAlive: true, maxSockets: callers })
  readonly #token: string

  private constructor(runs: readonly string[], token: string) {
    this.#runs = runs
    this.#token = token
  }

  static async begin([first]: readonly BenchServer[]): Promise<Load> {
    if (first === undefined) throw new Error('no server was started')
    const headers = { authorization: `Bearer ${first.token}`, 'content-type': 'application/json' }
    const workflow = {
      id: 'bench',
      initial: 'one',
      states: { one: { allowed_tools: ['Read'], on: { END: 'done' } }, done: { type: 'final' } },
    }
    const put = { method: 'PUT', headers, body: JSON.stringify(workflow) }
    await fetch(`${first.url}/api/workflows/bench`, put)
    const runs: string[] = []
    for (let index = 0; index < callers; index++) {
      const body = JSON.stringify({ workflow: 'bench' })
      const started = await fetch(`${first.url}/api/runs`, { method: 'POST', headers, body })
      const { run_id } = (await started.json()) as { run_id: string } // The shape of our API.
      runs.push(run_id)
    }
    return new Load(runs, first.token)
  }

  async speed(servers: readonly BenchServer[]): Promise<number> {
    const started = performance.now()
    const until = started + roundS * 1000
    const counts = await Promise.all(
      this.#runs.map(async (run, index) => {
        const { url } = servers[index % servers.length] ?? { url: '' }
        let count = 0
        while (performance.now() < until) {
          await this.#check(url, run)
          count += 1
        }
        return count
      }),
    )
    const sum = counts.reduce((total, count) => total + count, 0)
    return (sum / (performance.now() - started)) * 1000
  }

  #check(url: string, run: string): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const headers = { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' }
    const sent = request(`${url}/api/check`, { method: 'POST', agent: this.#agent, headers })
    sent.on('error', reject)
    sent.on('response', (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`the check was ${answer.statusCode}`))
      answer.resume().on('end', resolve)
    })
    sent.end(JSON.stringify({ run, tool: 'Read', input: { file_path: 'src/index.ts' } }))
    return promise
  }
}

/** What a decision writes, with an entry as long as theirs, and nothing beside. */
async function pgbenchScript(folder: string, databaseUrl: string): Promise<string> {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  const found = await client.query<{ length: number }>(
    `SELECT length(entry) AS length FROM entries WHERE call_id IS NOT NULL
      ORDER BY place DESC LIMIT 1`,
  )
  for (let index = 0; index < callers; index++) {
    await client.query(
      `INSERT INTO runs (run_id, workflow, kind, hash, owner, role, locked, created_at, status,
        state, seq, chain, updated_at, calls, denials, transitions, cost_micros)
        VALUES ($1, 'bench', 'workflow', 'h', 'o', 'agent', 0, 1, 'running', 'one', 1, 'c', 1,
          0, 0, 0, 0)`,
      [`pgbench_${index}`],
    )
  }
  await client.end()
  // A colon before a word is a variable of pgbench, so that no entry can stand here as it is.
  const entry = 'x'.repeat(found.rows[0]?.length ?? 0)
  const hash = 'f'.repeat(64)
  const path = join(folder, 'decide.sql')
  const run = `'pgbench_' || :client_id::int`
  const statement = `WITH moved AS (
      UPDATE runs SET status = 'running', state = 'one', seq = :next::bigint, chain = '${hash}',
        updated_at = 1, calls = :next::bigint, denials = 0, transitions = 0, cost_micros = 0
        WHERE run_id = ${run} AND seq = :seq::bigint RETURNING run_id
    ), saved AS (
      INSERT INTO blobs (run_id, call_id, what, hash, body)
        SELECT run_id, 'c' || :next::bigint, 'input', '${hash}', '${'x'.repeat(28)}' FROM moved
    )
    INSERT INTO entries (run_id, seq, hash, call_id, entry)
      SELECT run_id, :next::bigint, '${hash}', 'c' || :next::bigint, '${entry}' FROM moved
      RETURNING place;`.replaceAll(/\s+/g, ' ')
  const set = (name: string, value: string) => `\\set ${name} ${value}`
  writeFileSync(path, [set('next', ':seq + 1'), statement, set('seq', ':next'), ''].join('\n'))
  return path
}

/** Each caller goes on where it stopped in the round before. */
let reached = 1

/** Transactions per second; undefined where it is not installed. */
async function pgbench(script: string, databaseUrl: string): Promise<number | undefined> {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  await client.query(`UPDATE runs SET seq = $1 WHERE run_id LIKE 'pgbench%'`, [reached])
  await client.end()
  const clients = ['-n', '-M', 'prepared', '-c', String(callers), '-j', '2']
  const options = ['-T', String(roundS), '-D', `seq=${reached}`, '-f', script, databaseUrl]
  const child = spawn('pgbench', [...clients, ...options], { stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  child.stdout.on('data', (chunk) => {
    text += chunk
  })
  const isInstalled = await new Promise<boolean>((resolve) => {
    child.once('error', () => resolve(false))
    child.once('close', () => resolve(true))
  })
  if (!isInstalled) return undefined
  reached += 1_000_000
  return Number(/tps = ([\d.]+)/.exec(text)?.[1])
}
