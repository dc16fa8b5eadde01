import { type BudgetTake, phrase, type ReasonFacts, shownReason } from '@statewright/core/internal'
import { actorOf, type Caller } from '../base/caller.ts'
import type { LiveRun } from '../runtime/live-runs.ts'
import type { Runtime } from '../runtime/runtime.ts'
import { askAllPolicies, type PolicyWord } from './ask-policies.ts'
import { projectsOf } from './call-request.ts'

/** A request to a model that a session is about to make. */
export interface ModelRequest {
  /** In the words of policies: `model:anthropic:claude-opus-5`. */
  readonly capability: string
  readonly projectPath: string
  /** The run that judges the session, where there is one. */
  readonly live: LiveRun | undefined
}

export interface ModelVerdict {
  /** Why the model is not asked. */
  readonly denial?: string
  /** What its answer costs is spent of these. */
  readonly budgets: readonly BudgetTake[]
}

/**
 * What policies say of a request to a model (PO-9). Nothing is held back for it: what it costs is
 * charged when its answer is there, and the next one is not made once the money is gone.
 */
export async function judgeModel(
  runtime: Runtime,
  caller: Caller,
  { capability, projectPath, live }: ModelRequest,
): Promise<ModelVerdict> {
  const { settings, clock } = runtime
  const set = await runtime.policies.current()
  const from = { tool: '', input: null, project: projectPath, workspace: projectPath }
  const scope = { role: caller.role, projects: projectsOf(settings, from, live) }
  const capabilities = { needed: [capability], touched: [] }
  const call = { capability, capabilities, isFree: true, isModel: true }
  const question = { call, scope, by: actorOf(caller), at: clock.now(), live }
  const { defined, attached } = await askAllPolicies(runtime, set, question)
  const words = [...defined, ...attached]
  const budgets = words.flatMap(budgetsOf)
  if (settings.mode === 'observe') return { budgets }
  const against = words.flatMap((word) => {
    const [reason] = reasonsAgainst(word, { capability, isCounted: live !== undefined })
    return reason === undefined ? [] : [`${sourceOf(word)}: ${shownReason(reason).message}`]
  })
  return against.length === 0 ? { budgets } : { budgets, denial: denialText(against) }
}

function denialText(against: readonly string[]): string {
  const next = 'Retry when the limit resets or a person has changed the policy.'
  return `The model was not asked. ${against.join(' ')} ${next}`
}

function budgetsOf({ answer }: PolicyWord): readonly BudgetTake[] {
  return (answer.counters ?? []).filter((take) => take.kind === 'budget')
}

/** Without a run nothing is counted, and what cannot be counted is denied (PO-1c). */
function reasonsAgainst(
  word: PolicyWord,
  { capability, isCounted }: { readonly capability: string; readonly isCounted: boolean },
): readonly ReasonFacts[] {
  if (word.answer.kind !== 'allow') return word.answer.reasons
  if (isCounted || budgetsOf(word).length === 0) return []
  const message = phrase('run_needed_to_count_model', { capability })
  return [{ code: 'no_active_run', message, path: '' }]
}

function sourceOf({ policy: { name } }: PolicyWord): string {
  const own = name.startsWith('policy:') ? name.slice('policy:'.length) : name
  return `Policy ${own}`
}
