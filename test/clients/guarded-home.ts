import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import {
  type ChildResult,
  runStatewright,
  type StartedServer,
  startStatewright,
  type Variables,
} from '../../packages/server/testing/child.ts'

/** The workflow that every client is held to: plan, then write, with a detour for secrets. */
export const planThenWrite = {
  id: 'plan-then-write',
  initial: 'planning',
  states: {
    planning: { allowed_tools: ['Read', 'Grep'], on: { READY: 'writing' } },
    writing: { allowed_tools: ['Read', 'Write', 'Edit'], on: { DONE: 'done', OPEN: 'open' } },
    open: { blocked_env: ['BLOCKED_THING'], on: { DONE: 'done' } },
    mending: { allowed_tools: ['Read', 'Write'], on: { MENDED: '$return' } },
    done: { type: 'final' },
  },
  interrupts: { secrets: { trigger: { file_pattern: '**/*.env' }, target: 'mending' } },
}

/** What the client is started with: the first must never reach a command in `open`. */
export const variables: Variables = { BLOCKED_THING: 'out-of-sight', OPEN_THING: 'in-sight' }

/** A home of its own with a server beside it, and nothing of the machine's own. */
export interface GuardedHome {
  readonly home: string
  readonly work: string
  readonly server: StartedServer
  /** A command of ours as a person gives it, in a terminal that knows who they are. */
  command(args: readonly string[]): Promise<ChildResult>
  /** Entries of the newest run, each in a word or two. */
  history(): Promise<string[]>
  close(): Promise<void>
}

export async function openGuardedHome(
  name: string,
  workflow: { readonly id: string } = planThenWrite,
  /** What stands in the project's configuration. */
  config: object = {},
): Promise<GuardedHome> {
  const home = mkdtempSync(join(tmpdir(), `statewright-${name}-`))
  const work = join(home, 'work')
  mkdirSync(work)
  // JSON is YAML as well.
  writeFileSync(join(work, 'statewright.yaml'), JSON.stringify(config))
  const environment: Variables = { PATH: '/usr/bin:/bin', HOME: home }
  const server = await startStatewright({
    cwd: work,
    environment,
    args: ['--data', join(home, 'data'), '--workflow', workflow.id],
  })
  const saved = await server.ask('PUT', `/api/workflows/${workflow.id}`, workflow)
  expect(saved.status).toBe(200)
  const accepted = await server.ask('POST', '/api/config/accept', {})
  expect(accepted.status).toBe(200)
  const asPerson = { STATEWRIGHT_URL: server.url, STATEWRIGHT_TOKEN: server.personToken }
  return {
    home,
    work,
    server,
    command: (args) =>
      runStatewright(args, { cwd: work, environment: { ...environment, ...asPerson } }),
    history: () => newestHistory(server),
    async close() {
      await server.kill('SIGKILL')
      rmSync(home, { recursive: true, force: true })
    },
  }
}

async function newestHistory(server: StartedServer): Promise<string[]> {
  const { value } = await server.ask('GET', '/api/runs')
  const { runs } = value as { runs: { run_id: string }[] } // The published shape.
  const page = await server.ask('GET', `/api/runs/${runs[0]?.run_id}/entries?limit=100`)
  const { entries } = page.value as { entries: { type: string; decision?: string }[] } // As above.
  // What a turn has cost is told when the client has written it down, sooner or later.
  const reported = entries.filter(({ type }) => type !== 'cost_reported')
  return reported.map(({ type, decision }) =>
    decision === undefined ? type : `${type} ${decision}`,
  )
}

/**
 * Whether a real client is driven now, and a line on standard error where it is not, which CI must
 * show. Only a short part belongs to `npm test`: all clients together take minutes.
 */
export function isDriven(
  client: string,
  { isInstalled, isShort = false }: { readonly isInstalled: boolean; readonly isShort?: boolean },
): boolean {
  const isRequested = isShort || process.env.STATEWRIGHT_TEST_CLIENTS === 'all'
  if (isInstalled && isRequested) return true
  if (process.env.STATEWRIGHT_TEST_CLIENTS === 'all') throw new Error(`${client} ${notInstalled}`)
  const why = isInstalled ? 'is only driven by "npm run test:clients"' : notInstalled
  process.stderr.write(`SKIPPED: the real ${client} ${why}.\n`)
  return false
}

const notInstalled = 'is not in .cache/clients; "npm run test:clients" installs it'
