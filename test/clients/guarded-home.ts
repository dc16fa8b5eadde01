import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import {
  type Ran,
  runStatewright,
  type StartedServer,
  startStatewright,
  type Variables,
} from '../support/statewright.ts'

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
  command(args: readonly string[]): Promise<Ran>
  /** Entries of the newest run, each in a word or two. */
  history(): Promise<string[]>
  close(): Promise<void>
}

export async function openGuardedHome(
  name: string,
  workflow: { readonly id: string } = planThenWrite,
): Promise<GuardedHome> {
  const home = mkdtempSync(join(tmpdir(), `statewright-${name}-`))
  const work = join(home, 'work')
  mkdirSync(work)
  const environment: Variables = { PATH: '/usr/bin:/bin', HOME: home }
  const server = await startStatewright({
    cwd: work,
    environment,
    args: ['--data', join(home, 'data'), '--workflow', workflow.id],
  })
  const saved = await server.ask('PUT', `/api/workflows/${workflow.id}`, workflow)
  expect(saved.status).toBe(200)
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
  return entries.map(({ type, decision }) =>
    decision === undefined ? type : `${type} ${decision}`,
  )
}

/** Says on standard error that a client's tests are left out, which CI must show. */
export function saySkipped(isInstalled: boolean, client: string): void {
  if (isInstalled) return
  const how = '"npm run test:clients" installs it'
  process.stderr.write(`SKIPPED: the real ${client} is not in .cache/clients; ${how}.\n`)
}
