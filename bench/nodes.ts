import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startPostgres } from '../packages/server/testing/postgres.ts'
import { askInTurn, checkRequest } from './light-callers.ts'
import { type BenchResult, median } from './measure.ts'
import { parentOf, processorMs } from './processor-time.ts'
import { type BenchServer, startOurs, temporaryFolder } from './server-kit.ts'

const callers = 32
const roundS = 4
const rounds = 3

/**
 * Decisions per second of one node and of two on one Postgres, over HTTP and durable, beside what
 * `pgbench` gets out of the same Postgres with the same writes and nothing else. All share all
 * cores.
 */
export function benchNodes(): Promise<BenchResult> {
  return bench('nodes', () => {})
}

/**
 * The same with Postgres on a core of its own, as if on a machine of its own: whoever asks it,
 * nodes and callers or `pgbench`, has the other cores.
 */
export async function benchNodesApart(): Promise<BenchResult> {
  const last = availableParallelism() - 1
  const result = await bench('nodes_apart', (pids) => {
    keepTo('0', [pids.postmaster])
    keepTo(`1-${last}`, [process.pid, ...pids.nodes])
  })
  keepTo(`0-${last}`, [process.pid])
  return result
}

interface Pids {
  readonly postmaster: number
  readonly nodes: readonly number[]
}

/** What these start afterwards stays there as well: connections of Postgres, and `pgbench`. */
function keepTo(cores: string, pids: readonly number[]): void {
  for (const pid of pids) execFileSync('taskset', ['--all-tasks', '-cp', cores, String(pid)])
}

async function bench(name: string, assign: (pids: Pids) => void): Promise<BenchResult> {
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
    const postmaster = await postmasterPid(databaseUrl)
    const nodes = servers.map(({ pid }) => pid)
    assign({ postmaster, nodes })
    const load = await Load.begin(servers)
    const clock = new ProcessorClock({ postmaster, nodes })
    await load.speed(servers, clock)
    const script = await pgbenchScript(folder.path, databaseUrl)
    const [one, two, plain]: [Round[], Round[], number[]] = [[], [], []]
    for (let round = 0; round < rounds; round++) {
      one.push(await load.speed(servers.slice(0, 1), clock))
      two.push(await load.speed(servers, clock))
      const speed = await pgbench(script, databaseUrl)
      if (speed !== undefined) plain.push(speed)
    }
    const value = median(two.map(({ speed }) => speed))
    const result = { name, value, unit: 'decisions/s on two nodes' }
    const more = { one_node: median(one.map(({ speed }) => speed)), ...medianCosts(two) }
    if (plain.length === 0) {
      process.stderr.write('pgbench is not installed (Debian: postgresql-contrib): no baseline\n')
      return { ...result, more }
    }
    const baseline = median(plain)
    const ratio = value / baseline
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

  async speed(servers: readonly BenchServer[], clock: ProcessorClock): Promise<Round> {
    const asking = this.#runs.map((run, index) => {
      const { url } = servers[index % servers.length] ?? { url: '' }
      const call = { run, tool: 'Read', input: { file_path: 'src/index.ts' } }
      return { url, request: checkRequest(url, this.#token, call) }
    })
    const before = clock.read()
    const started = performance.now()
    const count = await askInTurn(asking, roundS * 1000)
    const speed = (count / (performance.now() - started)) * 1000
    const after = clock.read()
    const costs = Object.entries(after).map(([name, ms]) => {
      return [name, ((ms - (before[name] ?? 0)) / count) * 1000] as const
    })
    return { speed, costs: Object.fromEntries(costs) }
  }
}

function medianCosts(rounds: readonly Round[]): Readonly<Record<string, number>> {
  const names = Object.keys(rounds[0]?.costs ?? {})
  return Object.fromEntries(
    names.map((name) => [name, median(rounds.map(({ costs }) => costs[name] ?? 0))]),
  )
}

interface Round {
  readonly speed: number
  /** Microseconds of a processor that each kind of process took for a decision. */
  readonly costs: Readonly<Record<string, number>>
}

/** What everybody has used of the processors so far: less noisy than speed on a shared machine. */
class ProcessorClock {
  readonly #pids: readonly (readonly [name: string, pid: number])[]

  constructor({ postmaster, nodes }: Pids) {
    this.#pids = [['postgres_us', postmaster], ...nodes.map((pid) => ['nodes_us', pid] as const)]
  }

  read(): Readonly<Record<string, number>> {
    const { user, system } = process.cpuUsage()
    const sums: Record<string, number> = { callers_us: (user + system) / 1000 }
    for (const [name, pid] of this.#pids) {
      const ms = processorMs(pid)
      if (ms !== undefined) sums[name] = (sums[name] ?? 0) + ms
    }
    return sums
  }
}

async function postmasterPid(databaseUrl: string): Promise<number> {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  const postmaster = parentOf(rows[0]?.pid ?? 0)
  await client.end()
  if (postmaster === undefined) throw new Error('the processes of Postgres cannot be seen here')
  return postmaster
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
