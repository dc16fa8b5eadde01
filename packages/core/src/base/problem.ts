import { cut } from './cut.ts'
import { limits } from './limits.ts'
import { own } from './own.ts'
import { isPhrase, type Phrase, textOf, type Words } from './text/phrase.ts'

/** How a code is answered over HTTP and by the command line, and whether trying again can help. */
export interface CodeFacts {
  readonly status: number
  readonly exit: number
  readonly retry: boolean
}

const refused: CodeFacts = { status: 409, exit: 3, retry: false }
const waits: CodeFacts = { status: 409, exit: 5, retry: true }
const missing: CodeFacts = { status: 404, exit: 4, retry: false }

/**
 * Every code the outside can see. The meaning of one never changes; its sentence may.
 * A new code is added here first, so that each door knows how to answer it.
 */
export const codes = {
  // A tool call was denied.
  self_protection: refused,
  agent_spawn: refused,
  run_blocked: refused,
  run_waiting: waits,
  run_paused: refused,
  no_active_run: refused,
  session_budget_exhausted: refused,
  tool_not_allowed: refused,
  iterations_exhausted: refused,
  context_budget_exhausted: refused,
  edit_unreadable: refused,
  edit_too_large: refused,
  too_many_files: refused,
  command_not_allowed: refused,
  shell_write: refused,
  shell_unreadable: refused,
  shell_background: refused,
  env_blocked: refused,
  sandbox_required: refused,
  environment_required: refused,
  condition_failed: refused,
  gate_closed: refused,
  email_not_allowed: { ...refused, status: 403 },
  email_limit: { ...refused, status: 403 },
  policy_denied: refused,
  rate_exceeded: { ...refused, retry: true },
  budget_exceeded: { ...refused, retry: true },
  approval_required: waits,
  approval_rejected: refused,
  approval_expired: refused,
  approvals_full: refused,
  unjudged_call: refused,
  question_refused: refused,
  // An event was refused.
  unknown_event: refused,
  guard_failed: refused,
  no_candidate: refused,
  evidence_missing: refused,
  reserved_key: refused,
  context_too_large: refused,
  approval_pending: waits,
  approval_resolved: refused,
  approval_withdrawn: refused,
  self_approval: { ...refused, status: 403 },
  no_return: refused,
  unknown_branch: refused,
  fork_in_branch: refused,
  branch_not_done: refused,
  branch_bound: refused,
  run_not_active: refused,
  run_not_paused: refused,
  not_debug: refused,
  locked: { ...refused, status: 403 },
  invoke_too_deep: refused,
  unknown_answer: refused,
  unknown_call: refused,
  call_id_reused: refused,
  unknown_state: { ...missing, status: 409 },
  // Something could not be found, read or done.
  unknown_workflow: missing,
  unknown_run: missing,
  run_archived: { ...missing, status: 410 },
  unknown_approval: missing,
  session_not_found: missing,
  state_transition_invalid: refused,
  task_taken: refused,
  name_taken: refused,
  saved_meanwhile: refused,
  history_broken: refused,
  definition_invalid: { status: 422, exit: 3, retry: false },
  body_too_large: { status: 413, exit: 2, retry: false },
  file_unreadable: missing,
  usage: { status: 400, exit: 2, retry: false },
  // A request came to the wrong door, or from the wrong hands.
  unauthenticated: { status: 401, exit: 3, retry: false },
  not_permitted: { status: 403, exit: 3, retry: false },
  foreign_host: { status: 403, exit: 3, retry: false },
  foreign_origin: { status: 403, exit: 3, retry: false },
  step_up_required: { status: 403, exit: 5, retry: true },
  pin_wrong: { status: 403, exit: 3, retry: true },
  pin_locked: { status: 403, exit: 3, retry: false },
  passkey_wrong: { status: 403, exit: 3, retry: true },
  login_pending: { status: 409, exit: 5, retry: true },
  login_expired: missing,
  oidc_only: { status: 403, exit: 3, retry: false },
  oidc_refused: { status: 403, exit: 3, retry: true },
  oidc_unavailable: { status: 503, exit: 6, retry: true },
  too_many_requests: { status: 429, exit: 1, retry: true },
  not_found: missing,
  unknown_token: missing,
  unknown_model: refused,
  upstream_unavailable: { status: 503, exit: 1, retry: true },
  upstream_timeout: { status: 504, exit: 1, retry: false },
  upstream_failed: { status: 502, exit: 1, retry: false },
  tool_changed: waits,
  store_unavailable: { status: 503, exit: 1, retry: true },
  server_stopping: { status: 503, exit: 1, retry: true },
  server_unreachable: { status: 503, exit: 6, retry: true },
  config_invalid: { status: 422, exit: 2, retry: false },
  scenario_failed: { status: 409, exit: 3, retry: false },
  port_unusable: { status: 500, exit: 1, retry: true },
  internal: { status: 500, exit: 1, retry: true },
} as const satisfies Readonly<Record<string, CodeFacts>>

export type Code = keyof typeof codes

/**
 * What is denied in observe mode as well (WF-37): a watcher must not be blinded, and what the
 * configuration keeps to itself is no rule of a run.
 */
export function deniesWhenObserved(code: Code): boolean {
  return code === 'self_protection' || code === 'question_refused'
}

/**
 * Why a rule spoke, as it is stored: a code, what it speaks of, and the place of the rule. Only a
 * phrase fits, so that no sentence gets into a history; engine 1 wrote strings all the same.
 */
export interface ReasonFacts {
  readonly code: Code
  readonly message: Phrase
  /** The rule's place in the definition, such as `states.planning.allowed_tools`. */
  readonly path: string
  /** The part of a shell command it speaks of, as offsets into the command. */
  readonly start?: number
  readonly end?: number
}

/** The same as it is shown: a code for programs, a sentence for people. */
export interface Reason extends Omit<ReasonFacts, 'message'> {
  readonly message: string
  /** When there is room again under a limit, in ISO form. */
  readonly resets_at?: string
}

/** Reasons name tools, files and branches as the agent calls them, however long that is. */
export function shownReason(reason: ReasonFacts): Reason {
  const message = cut(textOf(reason.message), limits.messageLength)
  const until = untilOf(reason.message)
  return { ...reason, message, ...(until === undefined ? {} : { resets_at: until }) }
}

/** Programs wait for a time, not for a sentence: what that tells stands beside it (PO-4). */
function untilOf(words: Words): string | undefined {
  const values = typeof words === 'string' ? undefined : words.values
  if (values === undefined) return undefined
  const [until, usage] = [own(values, 'until'), own(values, 'usage')]
  if (typeof until === 'number') return isoTime(until)
  return isPhrase(usage) ? untilOf(usage) : undefined
}

function isoTime(at: number): string | undefined {
  const time = new Date(at)
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString()
}

/** What a person did wrong or could not get, in the three lines every door shows. */
export interface Problem {
  readonly code: Code
  readonly message: string
  readonly where?: string
  readonly next?: string
}

export type DecisionKind = 'allow' | 'ask' | 'deny'

const strictness: Readonly<Record<DecisionKind, number>> = { allow: 0, ask: 1, deny: 2 }

/** The stricter of two decisions. */
export function stricter(left: DecisionKind, right: DecisionKind): DecisionKind {
  return strictness[left] >= strictness[right] ? left : right
}
