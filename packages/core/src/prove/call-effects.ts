import type { ToolList } from '../call/tool-pattern.ts'
import { type CallShape, shapeOf, touches } from '../decide/call-shape.ts'
import { approvalArguments, approvalTool } from '../decide/judge-asks.ts'
import type { Simulated } from '../history/simulation.ts'
import type { Machine, Program } from '../machine/machine.ts'
import { provableFacts } from '../reduce/evidence.ts'
import { topFrame } from '../run/lanes.ts'
import { hasEnded, type Lane, type RunSnapshot } from '../run/snapshot.ts'
import type { SampleCall } from './sample-call.ts'

/** A call of the search, with what it would do were it let through. */
export interface TriedCall extends SampleCall {
  readonly key: string
  /** The same for calls that do the same to a run, apart from which files they count. */
  readonly effect: string
  readonly exactEffect: string
  /** What an approval of it is bound to. */
  readonly request: string
  /** How it ends makes a difference: it may prove or teach something. */
  readonly tells: boolean
  readonly changesFiles: boolean
}

/** Works out once what each call does. */
export function triedCall(
  play: Simulated,
  call: SampleCall,
  options: {
    readonly classOf: (file: string) => string
    /** It stands for itself alone, since conditions read its arguments. */
    readonly isConcrete: boolean
  },
): TriedCall {
  const { program, describe } = play
  const described = describe({ id: 'tried', ...call })
  const shape = shapeOf(described)
  const proofs = [...program.machines.values()].map((machine) =>
    provableFacts(machine, described, shape).map(({ name }) => name),
  )
  const noticed = noticedBy(program).map((list) => touches(list, described, shape))
  const tells =
    proofs.some((names) => names.length > 0) || noticed.some(Boolean) || isHeard(program)
  const changesFiles = shape.files.length > 0 || shape.shellFiles.length > 0
  const mail = described.mail?.messages.length ?? 0
  const judged = [...program.machines.values()].some(({ policy, gate }) => {
    return policy !== null || gate.length > 0
  })
  const by = judged ? capabilitiesOf(shape) : null
  const rest = [proofs, noticed, mail, by, ...(options.isConcrete ? [call] : [])]
  const classes = [shape.files, shape.shellFiles].map((files) => files.map(options.classOf))
  return {
    ...call,
    key: keyOfCall(call),
    effect: JSON.stringify([classes, rest]),
    exactEffect: JSON.stringify([shape.files, shape.shellFiles, rest]),
    request: `${approvalTool(described)}\n${approvalArguments(described)}`,
    tells,
    changesFiles,
  }
}

export function keyOfCall({ tool, input }: SampleCall): string {
  return JSON.stringify([tool, input])
}

/** Policies may ask about what a call is; where there are some, calls differ by that. */
function capabilitiesOf({ asked: { needed, touched }, capability }: CallShape): unknown {
  return [capability, needed, touched]
}

/** What notices calls by their tool. */
function noticedBy({ machines }: Program): ToolList[] {
  return [...machines.values()].flatMap(({ facts, marks, interrupts, policy }: Machine) => [
    ...facts.flatMap(({ from, forgetOn }) => [from, ...(forgetOn === null ? [] : [forgetOn])]),
    ...[...marks, ...(policy?.marks ?? [])].map(({ on }) => on),
    ...interrupts.flatMap(({ tools }) => (tools === null ? [] : [tools])),
  ])
}

/** Whether an interrupt asks about every call. */
function isHeard({ machines }: Program): boolean {
  return [...machines.values()].some(({ interrupts }) =>
    interrupts.some(({ tools, when }) => tools === null && when !== null),
  )
}

/** What people approved and nobody used yet, in the same words. */
export function approvedCalls({ asks }: RunSnapshot): string[] {
  const approved = asks.filter(({ status, always }) => status === 'approved' && !always)
  return approved.map(({ tool, argsHash }) => `${tool}\n${argsHash}`)
}

/** Reasons that stay as long as the state does, whatever was used, proved or approved. */
const lasting: ReadonlySet<string> = new Set([
  'tool_not_allowed',
  'command_not_allowed',
  'shell_write',
  'shell_unreadable',
  'edit_too_large',
  'edit_unreadable',
  'env_blocked',
])

/** Calls that a state always denies, so that they are tried there once. */
export class DeniedCalls {
  readonly #denied = new Map<string, Set<string>>()

  isDenied(position: string, call: string): boolean {
    return this.#denied.get(position)?.has(call) === true
  }

  note(position: string, call: string, after: Simulated): void {
    const { answer } = after.last
    if (answer.type !== 'decided' || answer.decision.kind === 'allow') return
    if (!answer.decision.reasons.some(({ code }) => lasting.has(code))) return
    const known = this.#denied.get(position) ?? new Set<string>()
    this.#denied.set(position, known.add(call))
  }
}

/** What decides whether a state lets a call through, apart from what was used up. */
export function positionOf(run: RunSnapshot, lane: Lane): string {
  const machines = lane.frames.map(({ machine }) => machine)
  const below = lane === run.main ? [] : run.main.frames.map(({ machine }) => machine)
  const isOver = hasEnded(run.status)
  return JSON.stringify([isOver, run.fork === null, below, machines, topFrame(lane).state])
}
