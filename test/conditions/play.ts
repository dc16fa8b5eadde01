import { compile, type Event, type Program, type Snapshot, start, step } from '@statewright/core'

const person = { kind: 'person', id: 'ada' } as const
type Finished = Extract<Event, { type: 'tool_finished' }>

interface CallOptions {
  readonly branch?: string
  readonly by?: { readonly kind: 'agent' | 'person'; readonly id: string }
  readonly server?: string
  readonly workspace?: NonNullable<Extract<Event, { type: 'tool_requested' }>['workspace']>
}

/** Plays calls against definitions, as a program that runs them itself would. */
export function play(
  text: string,
  task?: string,
  more: {
    readonly by?: CallOptions['by']
    readonly children?: Readonly<Record<string, string>>
  } = {},
) {
  const compiled = compile(text, { invoked: more.children ?? {} })
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.error))
  const program: Program = compiled.value
  let at = 1000
  let calls = 0
  const given = task === undefined ? {} : { task }
  let snapshot: Snapshot = start(program, { at, by: more.by ?? person, ...given }).snapshot
  const send = (event: Event) => {
    const made = step(program, snapshot, event)
    snapshot = made.snapshot
    return made
  }
  const askAs = (
    id: string,
    tool: string,
    input: unknown,
    { server, ...asked }: CallOptions = {},
  ) => {
    const call = { id, tool, input, ...(server === undefined ? {} : { server }) }
    const made = send({ type: 'tool_requested', at: ++at, call, ...asked })
    if (made.answer.type !== 'decided') throw new Error('not decided')
    return { id, ...made.answer.decision }
  }
  const ask = (tool: string, input: unknown, asked: CallOptions = {}) =>
    askAs(`c${++calls}`, tool, input, asked)
  const end = (callId: string, structured: unknown, finished: Partial<Finished> = {}) =>
    send({
      type: 'tool_finished',
      at: ++at,
      callId,
      exit: 'success',
      result: { structured: structured as never },
      ...finished,
    })
  const call = (tool: string, input: unknown, result?: unknown, asked: CallOptions = {}) => {
    const decided = ask(tool, input, asked)
    if (decided.kind === 'allow' && result !== undefined) end(decided.id, result)
    return decided
  }
  const move = (event: string, asked: Pick<CallOptions, 'branch' | 'by'> = {}) =>
    send({ type: 'transition_requested', at: ++at, event, ...asked }).answer.type
  return {
    ask,
    askAs,
    end,
    call,
    send,
    move,
    snapshot: () => snapshot,
    now: () => at,
    tick: (ms: number) => {
      at += ms
    },
  }
}
