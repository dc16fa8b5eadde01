import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Serving, serve } from '../../packages/server/src/app/serve.ts'
import type { Caller } from '../../packages/server/src/base/caller.ts'
import { AgentCalls } from '../../packages/server/src/orchestrator/broker/agent-calls.ts'
import type { Harness, HarnessSession } from '../../packages/server/src/orchestrator/ports.ts'
import { saveDefinition } from '../../packages/server/src/runtime/rules/definitions.ts'
import { allEntries } from '../../packages/server/src/runtime/runs/read-run.ts'
import { startRun } from '../../packages/server/src/runtime/runs/start-run.ts'
import { defaultSettings } from '../../packages/server/src/runtime/settings.ts'
import { openStore } from '../../packages/server/src/store/open.ts'
import { contextOf } from '../../packages/server/testing/harness.ts'

const person: Caller = { tokenId: 'person_ann', kind: 'person', role: 'person', name: 'Ann' }

const workflow = {
  id: 'session',
  initial: 'planning',
  states: {
    planning: { on: { READY: 'writing' } },
    writing: { on: { DONE: 'done' } },
    done: { type: 'final' },
  },
}

/** A home with a workspace, and a real server whose run guards an agent of a session there. */
export class GuardedSession {
  readonly home = realpathSync(mkdtempSync(join(tmpdir(), 'statewright-agent-')))
  readonly work = join(this.home, 'work')
  readonly exits: (number | null)[] = []
  readonly #life = new AbortController()
  #session: HarnessSession | undefined
  #serving: Serving | undefined
  #runId = ''
  #closeStore: () => Promise<void> = async () => {}

  constructor() {
    mkdirSync(this.work)
  }

  async start(harness: Harness, options: object = {}): Promise<HarnessSession> {
    const store = await openStore({ folder: join(this.home, 'data'), durability: 'crash' })
    this.#closeStore = () => store.close()
    const served = await serve({ store, settings: defaultSettings, port: 0 })
    if (!served.ok) throw new Error(served.error.message)
    const { runtime, guard, connect } = served.value
    this.#serving = served.value
    const sessionId = `sess_${randomUUID()}`
    const saved = await saveDefinition(runtime, person, workflow, {})
    if (!saved.ok) throw new Error(saved.error.message)
    const started = await startRun(runtime, person, {
      workflow: workflow.id,
      session: sessionId,
      workspace: this.work,
    })
    if (!started.ok) throw new Error(started.error.message)
    this.#runId = started.value.live.row.runId
    const caller: Caller = { ...person, kind: 'agent', role: 'agent', session: sessionId }
    const { work: projectPath } = this
    const { signal } = this.#life
    const costReported = async () => {}
    this.#session = await harness.start(
      contextOf({
        sessionId,
        projectPath,
        options: { ...options },
        runId: this.#runId,
        calls: new AgentCalls({ guard, caller, sessionId, projectPath, signal, costReported }),
        connect: () => connect(caller),
        exited: (code) => this.exits.push(code),
      }),
    )
    return this.#session
  }

  /** What the history says of the calls so far: each tool, and how it was decided. */
  async decided(): Promise<string[]> {
    if (this.#serving === undefined) return []
    const entries = await allEntries(this.#serving.runtime, this.#runId)
    return entries.flatMap(({ entry }) =>
      entry.type === 'call_decided' ? [`${entry.tool} ${entry.code ?? entry.decision}`] : [],
    )
  }

  async close(): Promise<void> {
    this.#life.abort()
    await this.#session?.kill()
    await this.#serving?.close()
    await this.#closeStore()
    rmSync(this.home, { recursive: true, force: true })
  }
}
