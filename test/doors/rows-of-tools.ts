import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Act, Door } from './door.ts'
import {
  type CellPaths,
  deniedOr,
  end,
  isWritten,
  mark,
  type Row,
  tryWriting,
  workflow,
} from './row.ts'

const lookThenWrite = (door: Door) => ({
  initial: 'looking',
  states: {
    looking: { allowed_tools: ['Read'], on: { GO: 'writing' } },
    writing: { allowed_tools: [door.write.tool], on: { DONE: 'done' } },
    done: end,
  },
})

const deniedTool: Row = {
  name: 'denied tool',
  rules: 'WF-6',
  definition: lookThenWrite,
  acts: () => [mark],
  play: (play) => tryWriting(play, mark),
}

/** What every denial of this call says, wherever it is read (WF-14). */
function wordsOf(door: Door) {
  const message = `${door.says} may not be used in looking. Allowed: Read.`
  const way = [{ event: 'GO', target: 'writing' }]
  return {
    text: [
      `tool_not_allowed: ${message}`,
      'Events: GO -> writing.',
      'To go on, call statewright_transition with GO to writing.',
    ].join('\n'),
    facts: { code: 'tool_not_allowed', message, allowed_tools: ['Read'], events: way, way },
  }
}

const denialWords: Row = {
  ...deniedTool,
  name: 'words of a denial',
  rules: 'WF-14',
  async play(play) {
    const { agent, door } = play
    const { text } = await agent.act(mark)
    const expected = wordsOf(door)
    if (text.includes(expected.text)) return 'same words'
    if (holdsFacts(text, expected.facts)) return 'same facts'
    const shown = await agent.shown?.()
    if (shown?.includes(expected.text) === true) return 'same words, to people'
    return `OTHER WORDS: ${(shown || text).slice(0, 300)}`
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
  // A problem of HTTP calls its sentence so.
  const reported: Record<string, unknown> = { message: body.detail, ...body }
  return Object.entries(facts).every(
    ([name, value]) => JSON.stringify(reported[name]) === JSON.stringify(value),
  )
}

const secretFile: Act = { write: 'some.env', text: 'KEY=1\n' }

const interrupt: Row = {
  name: 'interrupt',
  rules: 'WF-28',
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

const selfProtection: Row = {
  name: 'self-protection',
  rules: 'SH-18',
  definition: ({ write }) => workflow([write.tool]),
  acts: ({ configuration }) => [{ write: configuration, text: 'mode: observe\n' }],
  async play({ agent, cell }) {
    const [act] = cell.acts
    if (act === undefined) throw new Error('bug: the row has an act')
    return deniedOr(await agent.act(act), 'CHANGED ITS GUARD')
  },
}

/** A write that must never happen, whatever the state allows. */
const untouchable = (name: string, path: (paths: CellPaths) => string): Row => ({
  ...selfProtection,
  name,
  acts: (paths) => [{ write: path(paths), text: '{}\n' }],
})

const ownBin = fileURLToPath(new URL('../../packages/server/bin/', import.meta.url))

/** A file that is not there, so that a hole in the guard hurts nobody. */
const ownProgram = untouchable('self-protection, our program', () => join(ownBin, 'planted.cjs'))

const nestedSettings = untouchable('self-protection, settings at any depth', ({ project }) =>
  join(project, 'packages/one/.claude/settings.json'),
)

const otherProject = untouchable('self-protection, another project', ({ project }) =>
  join(dirname(project), 'neighbour/statewright.yaml'),
)

const protectionAfterEnd: Row = {
  ...selfProtection,
  name: 'self-protection after the end',
  rules: 'SH-18, WF-15a',
  async play(play) {
    await play.person.transition(play.agent.runId, 'DONE')
    return selfProtection.play(play)
  },
}

const recordedOnce: Row = {
  name: 'result recorded',
  rules: 'WF-31',
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
  rules: 'WF-37',
  mode: 'observe',
  async play(play) {
    const { agent, person } = play
    const done = await tryWriting(play, mark)
    if (done !== 'ran') return done
    const entries = await person.history(agent.runId)
    const decided = entries.find(({ type }) => type === 'call_decided')
    const { decision, would, code } = decided ?? {}
    return `${done}, recorded as ${decision}, would ${would} ${code}`
  },
}

const observedProtection: Row = {
  ...selfProtection,
  name: 'self-protection, observed',
  rules: 'SH-18, WF-37',
  mode: 'observe',
}

export const toolRows: readonly Row[] = [
  deniedTool,
  denialWords,
  interrupt,
  selfProtection,
  ownProgram,
  nestedSettings,
  otherProject,
  protectionAfterEnd,
  recordedOnce,
  observeMode,
  observedProtection,
]
