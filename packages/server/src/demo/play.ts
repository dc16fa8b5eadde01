import { type GuardedRun, StatewrightError } from '../sdk/statewright.ts'
import { type DemoStep, demoSteps } from './story.ts'

/** What a watcher is told of one step. */
export type DemoLine =
  | { readonly kind: 'say'; readonly text: string }
  | { readonly kind: 'allowed' | 'denied'; readonly what: string; readonly why?: string }
  | { readonly kind: 'moved'; readonly what: string; readonly state: string }
  | { readonly kind: 'notice'; readonly text: string }
  | { readonly kind: 'waits'; readonly approvalId: string }

/** Plays the scripted agent: every call is judged for real, only the doing is pretended. */
export async function* playDemo(run: GuardedRun): AsyncGenerator<DemoLine> {
  for (const step of demoSteps) yield* playStep(run, step)
}

async function* playStep(run: GuardedRun, step: DemoStep): AsyncGenerator<DemoLine> {
  if ('say' in step) yield { kind: 'say', text: step.say }
  else if ('tool' in step) yield* call(run, step)
  else yield await send(run, step)
}

async function* call(
  run: GuardedRun,
  step: Extract<DemoStep, { tool: string }>,
): AsyncGenerator<DemoLine> {
  const branch = step.branch === undefined ? {} : { branch: step.branch }
  const answer = await run.check({ tool: step.tool, input: step.input, ...branch })
  const what = `${inBranch(step)}${step.tool} ${subject(step.input)}`
  if (answer.decision !== 'allow') {
    yield { kind: 'denied', what, why: `${answer.code}: ${answer.message}` }
    return
  }
  yield { kind: 'allowed', what }
  const { callId } = answer
  const { notices } = await run.finish({ callId, exit: 'success', bytes: 400, ...branch })
  for (const text of notices) yield { kind: 'notice', text }
}

async function send(run: GuardedRun, step: Extract<DemoStep, { send: string }>): Promise<DemoLine> {
  const what = `${inBranch(step)}${step.send}`
  try {
    const moved = await run.transition(step.send, step.data, step.branch)
    if (moved.status === 'pending_approval') {
      return { kind: 'waits', approvalId: moved.approvalId }
    }
    return { kind: 'moved', what, state: moved.state }
  } catch (fault) {
    if (!(fault instanceof StatewrightError)) throw fault
    return { kind: 'denied', what, why: `${fault.code}: ${fault.message}` }
  }
}

function inBranch({ branch }: { readonly branch?: string }): string {
  return branch === undefined ? '' : `(${branch}) `
}

function subject(input: object): string {
  if ('command' in input) return String(input.command)
  return 'file_path' in input ? String(input.file_path) : ''
}
