import assert from 'node:assert/strict'
import { spotOf } from './spots.ts'
import type { Story } from './story.ts'

/** PR-2 … PR-5: what an answer leads to, read anew from the definition. */
export function answersLeadWhereWritten({ world, taken }: Story): void {
  for (const { before, event, step } of taken) {
    if (event.type !== 'answer_given') continue
    const isLive = before.status === 'running' || before.status === 'waiting'
    const spot = spotOf(before, event.by)
    const process = world.processes.get(spot?.frame.machine ?? '')
    const answers = process?.states[spot?.frame.state ?? '']?.answers ?? {}
    const name = nameOf(Object.keys(answers), event.answer)
    if (!isLive || spot === null || spot.lane.approval !== null || name === undefined) {
      assert.ok(step.refusal !== undefined, 'who is asked nothing answers nothing')
      continue
    }
    const [answered, ...rest] = step.entries
    assert.ok(answered?.type === 'answered', 'a known answer is taken')
    assert.equal(answered.answer, name)
    const { next, action } = answers[name] ?? { next: null }
    const isRun = spot.lane === before.main && spot.lane.frames.length === 1
    if (action === 'notify_human') assert.equal(step.answer.type, 'pending_approval')
    if (action === 'warn') assert.equal(rest[0]?.type, 'warned')
    if (action === 'block' && isRun) assert.equal(step.run.status, 'blocked')
    if (action === 'complete' && isRun) assert.equal(step.run.status, 'completed')
    if (action !== undefined && action !== 'warn') continue
    const now = spotOf(step.run, event.by)?.frame
    if (next === null && isRun) assert.equal(step.run.status, 'completed')
    const stays = next !== null && Object.keys(process?.states[next]?.answers ?? {}).length > 0
    if (stays) assert.equal(now?.state, next)
  }
}

/** Exact after trimming; without regard to case where that leaves one answer. */
function nameOf(names: readonly string[], given: string): string | undefined {
  const answer = given.trim()
  if (names.includes(answer)) return answer
  const alike = names.filter((name) => name.toLowerCase() === answer.toLowerCase())
  return alike.length === 1 ? alike[0] : undefined
}
