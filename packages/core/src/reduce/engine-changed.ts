import { stableText } from '../base/stable-text.ts'
import { phrase } from '../base/text/phrase.ts'
import { hashText } from '../definition/hash.ts'
import { engine, engineOf } from '../run/engine.ts'
import type { EngineChanged } from '../run/events.ts'
import type { Step } from '../run/step.ts'
import { type Draft, finish, record, refuse } from './draft.ts'

/**
 * Takes a run over from an older engine. The snapshot stands in the event, so that the chain covers
 * it: what comes after is replayed from there, what came before is the older engine's word (WF-36).
 */
export function onEngineChanged(draft: Draft<EngineChanged>): Step {
  const { run, differs } = draft.event
  const from = engineOf(run)
  if (from >= engine || engineOf(draft.run) !== from) {
    return refuse(draft, 'run_not_active', phrase('engine_current', { engine }))
  }
  record(draft, {
    type: 'engine_changed',
    from,
    to: engine,
    snapshot: hashText(stableText(run)),
    ...(differs === undefined ? {} : { differs }),
  })
  draft.run = { ...run, engine }
  return finish(draft, { type: 'recorded', notices: [] })
}
