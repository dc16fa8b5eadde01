import { hash } from 'node:crypto'
import { err, ok, type Problem, type Result, stateOfCaller } from '@statewright/core'
import { actorOf, type Caller } from '../../runtime/caller.ts'
import { finishCall } from '../../runtime/change-run.ts'
import type { RuntimeParts } from '../../runtime/parts.ts'
import { cageArgs } from '../../sandbox/bubblewrap.ts'
import type { Cage } from '../../sandbox/cage.ts'
import { endMarked } from '../../sandbox/end-tree.ts'
import { loaderPattern, neverGivenPattern } from '../../sandbox/environment.ts'
import type { SandboxFound } from '../../sandbox/find-sandbox.ts'
import { planCage } from '../../sandbox/plan-cage.ts'
import { shellWords } from '../../sandbox/run-guarded.ts'
import { cageWishes } from './shell-cage.ts'
import { type JudgedShell, newSecret, Tickets } from './tickets.ts'

/** All that `statewright exec` needs to run one judged command. */
export interface ExecPlan {
  readonly program: string
  /** Options of the program; the variables for loading come behind them, then the command. */
  readonly args: readonly string[]
  readonly command: readonly string[]
  readonly isCaged: boolean
  readonly cwd: string
  readonly mark: string
  readonly blocked: readonly string[]
  readonly overrides: Readonly<Record<string, string>>
  readonly neverGiven: string
  readonly loader: string
  /** Paths that must not come into being. */
  readonly absent: readonly string[]
  /** The secret with which the result is told; it never stands on a command line. */
  readonly report: string
}

export interface ExecReport {
  readonly exit: number
  readonly bytes: number
  readonly outputHash: string
  readonly durationMs: number
  readonly intruders: readonly string[]
}

export interface ExecDeskOptions {
  readonly runtime: RuntimeParts
  readonly sandbox: SandboxFound
  /** Program and script by which a command comes to us, with absolute paths. */
  readonly program: readonly string[]
  /** Where this server is reached on this machine. */
  readonly url: () => string
  readonly onIntruders?: (runId: string, paths: readonly string[]) => void
}

interface Running {
  readonly judged: JudgedShell
  readonly done: () => void
}

const mostKnown = 10_000

/**
 * Hands out tickets for shell calls that a client runs through us, gives the way to run each, and
 * takes its result, which is thereby seen and not only claimed (SH-15, WF-31).
 */
export class ExecDesk {
  readonly #options: ExecDeskOptions
  readonly #tickets: Tickets
  readonly #running = new Map<string, Running>()
  /** By call: the notices of a result that has come; null while none has. */
  readonly #calls = new Map<string, readonly string[] | null>()

  constructor(options: ExecDeskOptions) {
    this.#options = options
    this.#tickets = new Tickets(() => options.runtime.clock.now())
  }

  get sandbox(): SandboxFound {
    return this.#options.sandbox
  }

  /** The words that run a judged command instead of itself. */
  issue(judged: JudgedShell): readonly string[] {
    const { program, url } = this.#options
    this.#calls.set(callKey(judged.caller, judged.callId), null)
    if (this.#calls.size > mostKnown) {
      const oldest = this.#calls.keys().next().value
      if (oldest !== undefined) this.#calls.delete(oldest)
    }
    return [...program, url(), this.#tickets.issue(judged)]
  }

  /** What a call came to that ran through us; undefined when it did not get a ticket. */
  resultOf(caller: Caller, callId: string): readonly string[] | null | undefined {
    return this.#calls.get(callKey(caller, callId))
  }

  /** Whether a ticket counts, and how its command is run. `end` ends the process that came. */
  async start(ticket: string, end: () => void): Promise<Result<ExecPlan, Problem>> {
    const { runtime, sandbox } = this.#options
    const judged = this.#tickets.redeem(ticket)
    if (judged === undefined) return err(void_('The ticket is used up, too old or not ours.'))
    const live = await runtime.live.get(judged.runId)
    const state =
      live === undefined ? null : stateOfCaller(live.program, live.snapshot, actorOf(judged.caller))
    if (live?.row.status !== 'running' || state?.name !== judged.state) {
      return err(void_('The run has moved on since the command was judged.'))
    }
    const { place, cwd, mayChange } = judged
    const wishes = cageWishes(runtime.settings, place, place.workspace ?? cwd, mayChange)
    const planned = planCage(place.sandbox, sandbox, wishes)
    if (!planned.ok) return planned
    const mark = newSecret().slice(0, 22)
    const report = newSecret()
    const { runId, caller } = judged
    const ended = () => {
      end()
      endMarked(mark)
    }
    const done = runtime.commands.add({ runId, caller, state: judged.state, end: ended })
    this.#running.set(hash('sha256', report), { judged, done })
    return ok(execPlan(sandbox, judged, planned.value, { mark, report }))
  }

  /** The result, told once by whoever got the plan. */
  async finish(secret: string, report: ExecReport): Promise<Result<null, Problem>> {
    const { runtime, onIntruders } = this.#options
    const key = hash('sha256', secret)
    const running = this.#running.get(key)
    this.#running.delete(key)
    if (running === undefined) return err(void_('Nobody waits for this result.'))
    const { runId, callId, caller } = running.judged
    running.done()
    if (report.intruders.length > 0) onIntruders?.(runId, report.intruders)
    const done = await finishCall(runtime, caller, {
      run: runId,
      callId,
      bytes: report.bytes,
      exit: report.exit === 0 ? 'success' : 'failure',
      source: 'observed',
      durationMs: report.durationMs,
    })
    const answer = done.ok ? done.value.answer : undefined
    const notices = answer?.type === 'recorded' ? answer.notices : []
    this.#calls.set(callKey(caller, callId), notices)
    return ok(null)
  }
}

function execPlan(
  sandbox: SandboxFound,
  { command, cwd, place }: JudgedShell,
  cage: Cage | null,
  { mark, report }: { readonly mark: string; readonly report: string },
): ExecPlan {
  const words = typeof command === 'string' ? shellWords(sandbox.shell, command) : command
  const isCaged = cage !== null && sandbox.kind === 'bubblewrap'
  const [program = sandbox.shell, ...rest] = words
  return {
    program: isCaged ? sandbox.program : program,
    args: isCaged ? cageArgs(sandbox, cage, cwd) : [],
    command: isCaged ? words : rest,
    isCaged,
    cwd,
    mark,
    blocked: place.blockedEnv,
    overrides: place.envOverrides,
    neverGiven: neverGivenPattern.source,
    loader: loaderPattern.source,
    absent: cage?.absent ?? [],
    report,
  }
}

function callKey({ tokenId }: Caller, callId: string): string {
  return `${tokenId}\n${callId}`
}

function void_(message: string): Problem {
  return { code: 'not_permitted', message, next: 'make the call again.' }
}
