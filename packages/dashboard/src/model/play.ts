import {
  checkDefinition,
  compileProgram,
  type DigestFacts,
  definitionIn,
  describeCall,
  type Entry,
  type Finding,
  isJsonObject,
  type JsonObject,
  type Program,
  type ProgramTable,
  programTable,
  type RunEvent,
  type RunSnapshot,
  reduceRun,
  ShellConfig,
  type Step,
  startRun,
  type ToolCall,
} from '@statewright/core/internal'

/** What the text in the editor amounts to. */
export interface Reading {
  readonly findings: readonly Finding[]
  readonly program: Program | null
}

export function readText(text: string): Reading {
  const checked = checkDefinition(text)
  const { findings } = checked
  const definition = definitionIn(checked)
  if (definition === undefined) return { findings, program: null }
  const compiled = compileProgram(definition)
  if (compiled.ok) return { findings, program: compiled.value }
  // What is missing is known already as a warning; here it stops the run.
  return { findings: [...findings, ...compiled.error], program: null }
}

/** A run in the making, with everything that happened so far. */
export interface Play {
  readonly program: Program
  readonly run: RunSnapshot
  readonly entries: readonly Entry[]
  readonly last: Step
  /** What the configuration of the server knows of programs. */
  readonly programs: ProgramTable
  /** Counts the ids given out. The page needs them to differ, not to be secret. */
  readonly ids: number
}

const agent = { kind: 'agent', id: 'playground' } as const
const person = { kind: 'person', id: 'you' } as const

const noPrograms = programTable({})

/** What the settings that hold know of programs (SH-5). */
export function configuredPrograms(settings: Readonly<Record<string, unknown>>): ProgramTable {
  const read = ShellConfig.safeParse(settings.shell ?? {})
  return read.success ? programTable(read.data) : noPrograms
}

export function startPlay(program: Program, at: number, programs = noPrograms): Play {
  const digests = unchangedFiles(program)
  const last = startRun(program, { type: 'started', hash: program.hash, at, by: person, digests })
  return { program, run: last.run, entries: last.entries, last, programs, ids: 0 }
}

export function sendEvent(play: Play, event: string, data: JsonObject, at: number): Play {
  const approvalId = `approval-${play.ids}`
  const digests = unchangedFiles(play.program)
  return next(play, {
    type: 'transition_requested',
    event,
    data,
    approvalId,
    at,
    by: agent,
    digests,
  })
}

export function giveAnswer(play: Play, answer: string, at: number): Play {
  const approvalId = `approval-${play.ids}`
  return next(play, { type: 'answer_given', answer, approvalId, at, by: agent })
}

export function resolveApproval(
  play: Play,
  approvalId: string,
  verdict: 'approve' | 'reject',
  at: number,
): Play {
  return next(play, { type: 'approval_resolved', approvalId, verdict, at, by: person })
}

export interface TriedCall {
  readonly tool: string
  readonly input: unknown
  readonly exit: 'success' | 'failure'
}

const approvalLifeMs = 5 * 60_000
// There are no files here; paths are taken as if they lay in this folder.
const workspace = { root: '/workspace' }

/** A call as the guard would see it. */
export function describeTried(
  { programs }: Play,
  id: string,
  { tool, input }: Pick<TriedCall, 'tool' | 'input'>,
): ToolCall {
  return describeCall({ id, tool, input }, { ...workspace, shell: { programs } })
}

/** Asks for a tool call and, when it is let through, reports its result at once. */
export function tryCall(play: Play, tried: TriedCall, at: number): Play {
  const id = `call-${play.ids}`
  const asked = next(play, {
    type: 'tool_requested',
    call: describeTried(play, id, tried),
    approvalId: `approval-${play.ids}`,
    approvalExpiresAt: at + approvalLifeMs,
    at,
    by: agent,
    digests: unchangedFiles(play.program),
  })
  const { answer } = asked.last
  if (answer.type !== 'decided' || answer.decision.kind !== 'allow') return asked
  const finished = next(asked, {
    type: 'tool_finished',
    callId: id,
    bytes: 0,
    exit: tried.exit,
    source: 'observed',
    at,
    by: agent,
    digests: unchangedFiles(play.program),
  })
  // The decision stays in view; what the result set off is added to its notices.
  if (finished.last.answer.type !== 'recorded') return { ...finished, last: asked.last }
  const notices = [...answer.notices, ...finished.last.answer.notices]
  return { ...finished, last: { ...asked.last, answer: { ...answer, notices } } }
}

/** Reads what a person typed as JSON data; the empty field is no data. */
export function readData(text: string): JsonObject | null {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? value : null
  } catch {
    return null
  }
}

/**
 * Files as evidence sees them: there are none here, so they are as they were, but for what the
 * tried calls themselves have changed, which the run knows.
 */
function unchangedFiles({ machines }: Program): DigestFacts {
  const unchanged = { stale: 'unchanged', definedBy: 'unchanged' }
  const names = [...machines].flatMap(([id, { evidence }]) =>
    [...evidence.keys()].flatMap((name) => [name, `${id}/${name}`]),
  )
  return Object.fromEntries(names.map((name) => [name, unchanged]))
}

function next(play: Play, event: RunEvent): Play {
  const last = reduceRun(play.program, play.run, event)
  const entries = [...play.entries, ...last.entries]
  return { ...play, run: last.run, entries, last, ids: play.ids + 1 }
}
