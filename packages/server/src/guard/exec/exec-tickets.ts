import { hash } from 'node:crypto'
import {
  BoundedMap,
  err,
  limits,
  ok,
  type Problem,
  phrase,
  type Result,
} from '@statewright/core/internal'
import type { ExecPlan, ExecReport } from '@statewright/core/wire'
import type { Caller } from '../../base/caller.ts'
import { recordUnjudged } from '../../runtime/blocks/unjudged.ts'
import { cageStart } from '../../sandbox/bubblewrap.ts'
import type { Cage } from '../../sandbox/cage.ts'
import { endMarked, isAnyAlive } from '../../sandbox/end-tree.ts'
import { loaderPattern, neverPassedPattern, plainPattern } from '../../sandbox/environment.ts'
import type { SandboxFound } from '../../sandbox/find-sandbox.ts'
import { shellWords } from '../../sandbox/run-guarded.ts'
import { type CallOutcome, finishCall, noticesOf } from '../finish-call.ts'
import type { Guard } from '../guard.ts'
import { holdCall, overridesOf } from '../hold-call.ts'
import { isStolen, type TicketHolder } from './ticket-holder.ts'
import { type JudgedShell, nameOf, newSecret, type TicketIssuer, Tickets } from './tickets.ts'

export { canRewrite, rewriteCall } from './rewrite-call.ts'
export type { TicketHolder } from './ticket-holder.ts'

export interface ExecOptions {
  readonly guard: Guard
  /** Program and script by which a command comes to us, with absolute paths. */
  readonly program: readonly string[]
  /** Where this server is reached on this machine. */
  readonly url: () => string
  readonly onIntruders?: (runId: string, paths: readonly string[]) => void
  /** Told when two programs came with one ticket. */
  readonly onContested?: (runId: string) => void
}

interface Running {
  readonly judged: JudgedShell
  readonly mark: string
  readonly holder: TicketHolder
  readonly since: number
  readonly key: string
  readonly ticketKey: string
  readonly cage: Cage | null
  readonly done: () => void
}

/** A call that was given a ticket. */
interface TicketedCall {
  readonly runId: string | null
  readonly ticketHash: string
  /** What followed from its result; null while none has come. */
  readonly notices: readonly string[] | null
  readonly exit?: 'success' | 'failure'
  /** Somebody came with its ticket after it was used. */
  readonly isContested?: true
}

const maxKnown = 10_000

/**
 * Hands out tickets for shell calls that a client runs through us, gives the way to run each, and
 * takes its result, which is thereby seen and not only claimed (SH-15, WF-31).
 */
export class ExecTickets implements TicketIssuer {
  readonly #options: ExecOptions
  readonly #tickets: Tickets
  readonly #running = new Map<string, Running>()
  readonly #calls = new BoundedMap<string, TicketedCall>(maxKnown)
  #timer: NodeJS.Timeout | undefined

  constructor(options: ExecOptions) {
    this.#options = options
    this.#tickets = new Tickets(() => options.guard.runtime.clock.now())
  }

  /** The words that run a judged command instead of itself. */
  issue(judged: JudgedShell): readonly string[] {
    const { program, url } = this.#options
    return [...program, url(), this.#ticketFor(judged)]
  }

  /** A call that is asked about again has still one command to run, and none once it has begun. */
  #ticketFor(judged: JudgedShell): string {
    const { runId, caller } = judged.open
    const key = callKey(caller, judged.callId)
    const known = this.#calls.get(key)
    const isUsed = known?.runId === runId && !this.#tickets.takeBack(known.ticketHash)
    if (isUsed) return newSecret()
    const ticket = this.#tickets.issue(judged)
    this.#calls.set(key, { runId, ticketHash: hash('sha256', ticket), notices: null })
    return ticket
  }

  /** What a call came to that ran through us; undefined when it did not get a ticket. */
  resultOf(caller: Caller, callId: string): readonly string[] | null | undefined {
    return this.#calls.get(callKey(caller, callId))?.notices
  }

  /** The client says how a call ended that ran through us. It knows when somebody else ran it. */
  async clientSaw(caller: Caller, callId: string, exit: CallOutcome['exit']): Promise<void> {
    const call = this.#calls.get(callKey(caller, callId))
    if (call?.exit !== 'success' || exit !== 'failure' || call.runId === null) return
    await this.#takeBack(caller, call.runId, callId)
  }

  /** With what the holder of a ticket signs. */
  ticketKey(name: string): string | undefined {
    return this.#tickets.keyOf(name)
  }

  /** With what anyone who got the plan signs the result. */
  reportKey(name: string): string | undefined {
    return this.#running.get(name)?.key
  }

  /** Whether a ticket counts, and how its command is run. */
  async start(ticketKey: string, holder: TicketHolder): Promise<Result<ExecPlan, Problem>> {
    await this.#settleLost()
    const { guard } = this.#options
    const redeemed = this.#tickets.redeem(ticketKey)
    if (redeemed === undefined) return err(noTicket)
    const { judged, isFirst } = redeemed
    if (!isFirst) {
      await this.#contest(judged)
      return err(noTicket)
    }
    const held = await holdCall(guard, judged)
    if (!held.ok) return err(void_(held.error.message))
    const mark = newSecret().slice(0, 22)
    const report = newSecret()
    const tracked = await held.value.track(() => {
      holder.end()
      endMarked(mark)
    })
    if (!tracked.ok) return err(void_(tracked.error.message))
    const key = hash('sha256', report)
    const cage = held.value.cage()
    const since = performance.now()
    const done = tracked.value
    this.#running.set(nameOf(key), { judged, mark, holder, since, key, ticketKey, cage, done })
    this.#watch()
    cage?.broken?.addEventListener('abort', () => endMarked(mark), { once: true })
    const capture = await captureOf(guard, judged)
    return ok(execPlan(guard.sandbox, judged, cage, { mark, report, capture }))
  }

  /**
   * The result, told once by anyone who got the plan. Gives back what we put aside besides: `exec`
   * knows what must not come into being by its name alone.
   */
  async finish(reportKey: string, report: ExecReport): Promise<Result<readonly string[], Problem>> {
    const { guard, onIntruders } = this.#options
    const running = this.#running.get(nameOf(reportKey))
    this.#running.delete(nameOf(reportKey))
    if (running === undefined) return err(noResult)
    const { callId, open } = running.judged
    const { runId, caller, branch } = open
    running.done()
    const aside = (await running.cage?.over?.()) ?? []
    if (runId === null) return ok(aside)
    if (aside.length > 0) onIntruders?.(runId, aside)
    const exit = report.exit === 0 ? 'success' : 'failure'
    const done = await finishCall(guard.runtime, caller, {
      run: runId,
      callId,
      bytes: report.bytes,
      exit,
      // With its own token an agent can ask as its client does, and tell what it likes.
      source: caller.kind === 'agent' || this.#isTaken(running) ? 'reported' : 'observed',
      durationMs: report.duration_ms,
      ...(report.output === undefined ? {} : { output: report.output }),
      ...(branch === undefined ? {} : { branch }),
    })
    const key = callKey(caller, callId)
    const call = this.#calls.get(key)
    const notices = done.ok ? noticesOf(done.value) : []
    if (call !== undefined) this.#calls.set(key, { ...call, notices, exit })
    return ok(aside)
  }

  #isTaken({ judged, holder, ticketKey: key }: Running): boolean {
    const call = this.#calls.get(callKey(judged.open.caller, judged.callId))
    return call?.isContested === true || isStolen(holder, { key, client: judged.client })
  }

  /** One of the two took the ticket from the other's command line, and nobody can say which. */
  async #contest({ callId, open: { caller, runId } }: JudgedShell): Promise<void> {
    const key = callKey(caller, callId)
    const call = this.#calls.get(key)
    if (call === undefined || call.isContested === true || runId === null) return
    this.#calls.set(key, { ...call, isContested: true })
    const { guard, onContested } = this.#options
    onContested?.(runId)
    if (call.notices !== null) await this.#takeBack(caller, runId, callId)
    const text = phrase('ticket_contested', { call: callId })
    await recordUnjudged(guard.runtime, caller, { runId, count: 1, text })
  }

  async #takeBack(caller: Caller, run: string, callId: string): Promise<void> {
    const outcome = { bytes: 0, exit: 'failure', source: 'reported', voids: true } as const
    await finishCall(this.#options.guard.runtime, caller, { run, callId, ...outcome })
  }

  /** Looks each second for commands that were ended without a word, as long as any are running. */
  #watch(): void {
    this.#timer ??= setInterval(() => void this.#settleLost(), lookMs).unref()
  }

  /**
   * Whoever ends `exec` from outside ends its command with it. What that made and must not stay is
   * put aside all the same; of its result nothing is known.
   */
  async #settleLost(): Promise<void> {
    const now = performance.now()
    // One that was just about to begin when its sandbox broke.
    for (const { cage, mark } of this.#running.values()) {
      if (cage?.broken?.aborted === true) endMarked(mark)
    }
    const lost = [...this.#running].filter(([, { since, holder, mark }]) => {
      return now - since > graceMs && !holder.isAlive() && !isAnyAlive(mark)
    })
    for (const [name, { judged, cage, done }] of lost) {
      this.#running.delete(name)
      done()
      const aside = (await cage?.over?.()) ?? []
      const { runId } = judged.open
      if (runId !== null && aside.length > 0) this.#options.onIntruders?.(runId, aside)
    }
    if (this.#running.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}

const lookMs = 1000
/** Between getting the plan and starting the command. */
const graceMs = 1000

function execPlan(
  sandbox: SandboxFound,
  { command, cwd, open }: JudgedShell,
  cage: Cage | null,
  { mark, report, capture }: Pick<ExecPlan, 'mark' | 'report' | 'capture'>,
): ExecPlan {
  const words = typeof command === 'string' ? shellWords(sandbox.shell, command) : command
  const isCaged = cage !== null && sandbox.kind === 'bubblewrap'
  const [program = sandbox.shell, ...rest] = words
  const { plan } = open
  return {
    ...(isCaged ? cageStart(sandbox, cage, cwd) : { program, args: [] }),
    command: isCaged ? words : rest,
    is_caged: isCaged,
    cwd,
    mark,
    blocked: plan.blockedEnv,
    overrides: overridesOf(plan),
    never_given: neverPassedPattern.source,
    only_given: plan.contain === 'files' ? plainPattern.source : undefined,
    loader: loaderPattern.source,
    capture,
    report,
  }
}

/** As much as the history would keep of it (WF-32). */
async function captureOf({ runtime }: Guard, { open }: JudgedShell): Promise<number> {
  const live = open.runId === null ? undefined : await runtime.live.get(open.runId)
  return live?.program.root.meta.capture_output === true ? limits.toolResultLength / 2 : 0
}

function callKey({ tokenId }: Caller, callId: string): string {
  return `${tokenId}\n${callId}`
}

function void_(message: string): Problem {
  return { code: 'not_permitted', message, next: 'make the call again.' }
}

export const noTicket = void_(
  'The ticket was already used, has expired, or is not from this server.',
)
export const noResult = void_('Nothing waits for this result.')
