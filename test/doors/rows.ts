import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Act, Agent, Cell, Door, Outcome, Person } from './door.ts'

/** One row played through one door. */
export interface Play {
  readonly door: Door
  readonly cell: Cell
  readonly agent: Agent
  readonly person: Person
}

export interface Row {
  readonly name: string
  readonly rules: readonly string[]
  /** Which server it is played on, where that is not the one that enforces. */
  readonly mode?: 'observe'
  /** What the door must have for the row to mean anything. */
  readonly needs?: 'shell' | 'files'
  /** The definition without its id. */
  definition(door: Door): object
  /** Everything that the agent may do, in this order. */
  acts(place: Place): readonly Act[]
  /** What came of it, in a few words. */
  play(play: Play): Promise<string>
  /** What has to be there before. */
  prepare?(cell: Cell, door: Door): Promise<void>
}

/** Where a cell is, before it is open. */
export interface Place {
  readonly door: Door
  readonly project: string
  /** The configuration of the server, which guards it. */
  readonly configuration: string
}

const mark: Act = { write: 'mark.txt', text: 'made\n' }
const end = { type: 'final' }

/** A state in which these tools may be used, with whatever else holds in it. */
function workflow(tools: readonly string[], more: object = {}, around: object = {}): object {
  const working = { allowed_tools: tools, on: { DONE: 'done' }, ...more }
  return { initial: 'working', states: { working, done: end }, ...around }
}

/** A state in which everything passes, under this policy. */
function underPolicy(policy: object): object {
  return { initial: 'working', states: { working: { on: { DONE: 'done' } }, done: end }, policy }
}

const lookThenWrite = (door: Door) => ({
  initial: 'looking',
  states: {
    looking: { allowed_tools: ['Read'], on: { GO: 'writing' } },
    writing: { allowed_tools: [door.write.tool], on: { DONE: 'done' } },
    done: end,
  },
})

function deniedOr(outcome: Outcome, otherwise: string): string {
  return outcome.isDenied ? `denied ${outcome.code ?? 'without a code'}` : otherwise
}

function isWritten({ door, cell }: Play, act: Act): boolean {
  if (!('write' in act)) throw new Error('bug: only a written file can be looked for')
  return door.hasWritten?.(cell, act.write) ?? existsSync(resolve(cell.project, act.write))
}

/** A denial that let the deed happen all the same is none. */
async function tryWriting(play: Play, act: Act): Promise<string> {
  const outcome = await play.agent.act(act)
  if (outcome.refusedResult !== undefined) return `ran, RESULT REFUSED ${outcome.refusedResult}`
  if (outcome.isDenied === isWritten(play, act)) {
    return outcome.isDenied ? 'DENIED BUT DONE' : `NOT DONE: ${outcome.text.slice(0, 200)}`
  }
  return deniedOr(outcome, 'ran')
}

const deniedTool: Row = {
  name: 'denied tool',
  rules: ['WF-6'],
  definition: lookThenWrite,
  acts: () => [mark],
  play: (play) => tryWriting(play, mark),
}

const shellWrite: Row = {
  name: 'shell write in a reading state',
  rules: ['SH-6'],
  needs: 'shell',
  definition: () => workflow(['Read', 'Bash']),
  acts: () => [{ shell: 'echo made > mark.txt' }],
  async play({ agent, cell }) {
    const outcome = await agent.act({ shell: 'echo made > mark.txt' })
    if (existsSync(join(cell.project, 'mark.txt'))) return 'WROTE'
    return deniedOr(outcome, 'ran')
  },
}

const sandbox: Row = {
  name: 'sandbox: required',
  rules: ['SH-14', 'SH-15'],
  needs: 'shell',
  definition: () => workflow(['Read', 'Bash'], { sandbox: 'required' }),
  acts: () => [{ shell: 'sh probe.sh' }],
  async play({ agent, cell }) {
    const outcome = await agent.act({ shell: 'sh probe.sh' })
    if (existsSync(join(cell.project, '..', `${cell.id}.outside`))) return 'RAN UNCAGED, WROTE'
    if (outcome.text.includes('data is seen')) return 'RAN UNCAGED, SAW OUR DATA'
    if (outcome.text.includes('first process is bwrap')) return 'ran in cage'
    return deniedOr(outcome, `RAN UNCAGED: ${outcome.text.slice(0, 200)}`)
  },
}

const overrides: Row = {
  name: 'env_overrides',
  rules: ['SH-12', 'SH-15'],
  needs: 'shell',
  definition: () => workflow(['Read', 'Bash'], { env_overrides: { DEPLOY_TARGET: 'staging' } }),
  acts: () => [{ shell: 'sh look.sh' }],
  async play({ agent }) {
    const outcome = await agent.act({ shell: 'sh look.sh' })
    if (outcome.text.includes('target is staging')) return 'ran with env'
    return deniedOr(outcome, 'RAN WITHOUT ENV')
  },
}

const visibleRead: Act = { shell: 'echo "$LC_SECRET $CLAUDE_SECRET"' }

const blocked: Row = {
  name: 'blocked_env',
  rules: ['SH-9', 'SH-12', 'SH-15'],
  needs: 'shell',
  definition: () => ({
    initial: 'open',
    states: {
      open: { allowed_tools: ['Read', 'Bash'], on: { HOLD: 'held' } },
      held: {
        allowed_tools: ['Read', 'Bash'],
        blocked_env: ['LC_SECRET', 'CLAUDE_SECRET'],
        on: { DONE: 'done' },
      },
      done: end,
    },
  }),
  acts: () => [{ shell: 'sh look.sh' }, visibleRead, { shell: 'sh look.sh' }],
  async play({ agent, person }) {
    // Without this the variable might be missing for quite another reason.
    const open = await agent.act({ shell: 'sh look.sh' })
    if (!open.text.includes('out-of-sight')) return `NOT SEEN BEFORE: ${open.text.slice(0, 200)}`
    await person.transition(agent.runId, 'HOLD')
    const read = await agent.act(visibleRead)
    if (read.code !== 'env_blocked') return `READ: ${deniedOr(read, 'ran')}`
    const held = await agent.act({ shell: 'sh look.sh' })
    if (held.isDenied) return deniedOr(held, '')
    return held.text.includes('out-of-sight') ? 'reads denied' : 'absent'
  },
}

const readingByShell: Row = {
  name: 'reading by shell',
  rules: ['SH-10'],
  needs: 'shell',
  definition: () => workflow(['Read']),
  acts: () => [{ shell: 'ls' }],
  async play({ agent }) {
    const outcome = await agent.act({ shell: 'ls' })
    return deniedOr(outcome, outcome.text.includes('look.sh') ? 'ran' : 'RAN ELSEWHERE')
  },
}

const asking = (verdict: 'approve' | 'reject'): Row => ({
  name: verdict === 'approve' ? 'ask, approved' : 'ask, rejected',
  rules: verdict === 'approve' ? ['PO-7'] : ['PO-7', 'PO-7a'],
  definition: ({ write }) => underPolicy({ ask: [{ capability: write.capability }] }),
  acts: () => [mark, mark],
  async play(play) {
    const { agent, person } = play
    const [first] = await Promise.all([tryWriting(play, mark), person.answer(agent.runId, verdict)])
    if (first !== 'denied approval_required') return `waits, then ${first}`
    // The very same again: the approval is for these arguments.
    return `asks, then ${await tryWriting(play, mark)}`
  },
})

const secretFile: Act = { write: 'some.env', text: 'KEY=1\n' }

const interrupt: Row = {
  name: 'interrupt',
  rules: ['WF-28'],
  needs: 'files',
  definition: ({ write }) => ({
    initial: 'working',
    states: {
      working: { allowed_tools: [write.tool], on: { DONE: 'done' } },
      mending: { allowed_tools: ['Read'], on: { MENDED: '$return' } },
      done: end,
    },
    interrupts: { secrets: { trigger: { file_pattern: '**/*.env' }, target: 'mending' } },
  }),
  acts: () => [secretFile],
  async play(play) {
    const { agent, person } = play
    const outcome = await agent.act(secretFile)
    if (outcome.isDenied || !isWritten(play, secretFile)) return deniedOr(outcome, 'NOT DONE')
    const entries = await person.history(agent.runId)
    if (!entries.some(({ type }) => type === 'interrupted')) return 'NOT INTERRUPTED'
    if (outcome.text.includes('[STATEWRIGHT INTERRUPT]')) return 'told with the result'
    const next = await agent.nextTurn?.()
    return next?.includes('mending') === true ? 'told at the next turn' : 'NOT TOLD'
  },
}

const limited = (name: string, rules: readonly string[], limit: object): Row => ({
  name,
  rules,
  definition: ({ write }) => underPolicy({ allow: [{ capability: write.capability, ...limit }] }),
  acts: () => [mark, { write: 'second.txt', text: 'more\n' }],
  async play(play) {
    const first = await tryWriting(play, mark)
    return first === 'ran' ? tryWriting(play, { write: 'second.txt', text: 'more\n' }) : first
  },
})

const rate = limited('rate', ['PO-5'], {
  rate_limit: { max_calls: 1, window_seconds: 86_400 },
})

const budget: Row = {
  ...limited('budget', ['PO-6'], {
    budget_limit: { max_usd: 0.01, period: 'monthly' },
    reserve_usd: 0.02,
  }),
  acts: () => [mark],
}

const selfProtection: Row = {
  name: 'self-protection',
  rules: ['SH-18'],
  needs: 'files',
  definition: ({ write }) => workflow([write.tool]),
  acts: ({ configuration }) => [{ write: configuration, text: 'mode: observe\n' }],
  async play({ agent, cell }) {
    const [act] = cell.acts
    if (act === undefined) throw new Error('bug: the row has an act')
    return deniedOr(await agent.act(act), 'CHANGED ITS GUARD')
  },
}

const projectPolicy: Row = {
  name: 'project policy',
  rules: ['PO-1b'],
  definition: ({ write }) => workflow([write.tool]),
  acts: () => [mark],
  async prepare({ server, project, id }, { write }) {
    const policy = { deny: [{ capability: write.capability }] }
    await server.ask('PUT', `/api/policies/${id}`, { policy, project })
  },
  play: (play) => tryWriting(play, mark),
}

/** What every denial of this call says, wherever it is read (WF-14). */
function wordsOf(door: Door) {
  const message = `${door.says} may not be used in looking. Allowed: Read.`
  const way = [{ event: 'GO', target: 'writing' }]
  return {
    text: [
      `tool_not_allowed: ${message}`,
      'Allowed now: Read.',
      'Events: GO -> writing.',
      'Way on: call statewright_transition with GO to writing.',
    ].join('\n'),
    facts: { code: 'tool_not_allowed', message, allowed_tools: ['Read'], events: way, way },
  }
}

const denialWords: Row = {
  ...deniedTool,
  name: 'words of a denial',
  rules: ['WF-14'],
  async play(play) {
    const { agent, door } = play
    const { text } = await agent.act(mark)
    const expected = wordsOf(door)
    if (text.includes(expected.text)) return 'same words'
    if (holdsFacts(text, expected.facts)) return 'same facts'
    const shown = await agent.shown?.()
    if (shown?.includes(expected.text) === true) return 'same words, to people'
    return `OTHER WORDS: ${(shown ?? text).slice(0, 300)}`
  },
}

/** A body for programs: every fact under its own name. */
function holdsFacts(text: string, facts: Readonly<Record<string, unknown>>): boolean {
  let body: Record<string, unknown>
  try {
    body = JSON.parse(text)
  } catch {
    return false
  }
  return Object.entries(facts).every(
    ([name, value]) => JSON.stringify(body[name]) === JSON.stringify(value),
  )
}

const recordedOnce: Row = {
  name: 'result recorded',
  rules: ['WF-31'],
  definition: ({ write }) => workflow([write.tool]),
  acts: () => [mark],
  async play(play) {
    const { agent, person } = play
    const first = await tryWriting(play, mark)
    if (first !== 'ran') return first
    await agent.repeatResult?.()
    const entries = await person.history(agent.runId)
    const ended = entries.filter(({ type }) => type === 'call_finished')
    const times = ended.length === 1 ? 'once' : `${ended.length} TIMES`
    return `${times}, ${ended[0]?.cause?.source ?? 'nobody said'}`
  },
}

const observeMode: Row = {
  ...deniedTool,
  name: 'observe mode',
  rules: [],
  mode: 'observe',
  async play(play) {
    const { agent, person } = play
    const done = await tryWriting(play, mark)
    if (done !== 'ran') return done
    const entries = await person.history(agent.runId)
    const decided = entries.find(({ type }) => type === 'call_decided')
    return `${done}, recorded as ${decided?.decision} ${decided?.code}`
  },
}

export const rows: readonly Row[] = [
  deniedTool,
  denialWords,
  shellWrite,
  sandbox,
  overrides,
  blocked,
  readingByShell,
  asking('approve'),
  asking('reject'),
  interrupt,
  rate,
  budget,
  selfProtection,
  projectPolicy,
  recordedOnce,
  observeMode,
]
