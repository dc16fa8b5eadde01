import type { RunGraphEdge } from '../diagram/run-graph.ts'
import { anywhere } from '../diagram/run-graph.ts'
import { fieldOf, setField } from './edit-text.ts'
import { renameAll, renameKey, setScalars } from './rename-text.ts'
import { membersOf, stateReferences, type ValuePath, valueAt } from './state-references.ts'
import { parseText } from './yaml-edit.ts'

/** What is drawn in the picture of a definition, written into its text. Null: it cannot be. */
type Edited = string | null

/** One event on an arrow of the picture. */
export interface WayRef extends Pick<RunGraphEdge, 'from' | 'to' | 'kind'> {
  readonly event: string
}

export interface ForkBranch {
  readonly name: string
  readonly initial: string
  readonly terminal: string
}

/** A name that no member of a list has yet: the word itself, or with a number behind. */
export function freeName(word: string, taken: readonly string[]): string {
  let name = word
  for (let number = 2; taken.includes(name); number++) name = `${word}_${number}`
  return name
}

export function addState(text: string, kind: 'workflow' | 'process', name: string): Edited {
  if (fieldOf(parseText(text)?.value, ['states', name]) !== undefined) return null
  const body = kind === 'workflow' ? { allowed_tools: ['Read'] } : { question: 'What is asked?' }
  return setField(text, ['states', name], body)
}

/**
 * Gives a state another name, wherever the text has it. Comments, order and quotes stay. Null when
 * the text cannot be read, or the name is taken.
 */
export function renameState(text: string, from: string, to: string): Edited {
  const read = parseText(text)
  if (read === undefined || from === to) return null
  if (valueAt(read.value, ['states', to]) !== undefined) return null
  const named = stateReferences(read.value).filter((path) => valueAt(read.value, path) === from)
  const edited = renameAll(text, ['states', from], named, to)
  const after = edited === null ? undefined : parseText(edited)
  if (edited === null || after === undefined) return null
  // Splicing text is only trusted when reading it back gives the new name everywhere.
  const left = stateReferences(after.value).some((path) => valueAt(after.value, path) === from)
  const isThere = valueAt(after.value, ['states', to]) !== undefined
  return !left && isThere && valueAt(after.value, ['states', from]) === undefined ? edited : null
}

/** Where it ends nothing is used and nothing leads on. */
export function setFinal(text: string, state: string, isFinal: boolean): Edited {
  const at = (field: string) => ['states', state, field]
  if (!isFinal) return setField(text, at('type'), undefined)
  let edited: Edited = setField(text, at('type'), 'final')
  for (const field of ['allowed_tools', 'on', 'safe_next']) {
    edited = edited === null ? null : setField(edited, at(field), undefined)
  }
  return edited
}

/** A new way between two states, under a name that the first has not used yet. */
export function connect(
  text: string,
  { from, to }: { readonly from: string; readonly to: string },
): { readonly text: string; readonly event: string } | null {
  const value = parseText(text)?.value
  const isProcess = fieldOf(value, ['states', from, 'question']) !== undefined
  const list = isProcess ? 'answers' : 'on'
  const taken = membersOf(fieldOf(value, ['states', from, list])).map(([name]) => name)
  const isEnd = fieldOf(value, ['states', to, 'type']) === 'final'
  const event = freeName(isProcess ? 'yes' : isEnd ? 'DONE' : 'NEXT', taken)
  const edited = setField(text, ['states', from, list, event], isProcess ? { next: to } : to)
  return edited === null ? null : { text: edited, event }
}

/** Leads a way to another state; what else is written about it stays. */
export function reconnect(text: string, way: WayRef, to: string): Edited {
  const value = parseText(text)?.value
  const paths = referencesOf(value, way)
  return setScalars(text, paths, to)
}

export function renameEvent(text: string, way: WayRef, to: string): Edited {
  const at = eventPath(parseText(text)?.value, way)
  return at === null || to.trim() === '' ? null : renameKey(text, at, to)
}

/** Takes a way out; of several candidates only those that lead there. */
export function removeWay(text: string, way: WayRef): Edited {
  const value = parseText(text)?.value
  if (way.kind === 'safe_next') return setField(text, ['states', way.from, 'safe_next'], undefined)
  const at = eventPath(value, way)
  if (at === null) return null
  const written = fieldOf(value, at)
  if (Array.isArray(written)) {
    const left = written.filter((one) => fieldOf(one, ['target']) !== way.to)
    if (left.length > 0) return setField(text, at, left)
  }
  return withoutMember(text, at)
}

/** Takes a state out, and every way that leads to it. */
export function removeState(text: string, name: string): Edited {
  const states = membersOf(fieldOf(parseText(text)?.value, ['states']))
  const rest = states.filter(([other]) => other !== name)
  const heir = rest.find(([, body]) => fieldOf(body, ['type']) !== 'final') ?? rest[0]
  if (heir === undefined || rest.length === states.length) return null
  let edited: Edited = setField(text, ['states', name], undefined)
  while (edited !== null) {
    const { value } = parseText(edited) ?? {}
    const path = stateReferences(value).find((one) => valueAt(value, one) === name)
    if (path === undefined) return edited
    edited = withoutReference(edited, value, path, heir[0])
  }
  return null
}

export function addFork(
  text: string,
  from: string,
  fork: {
    readonly event: string
    readonly branches: readonly ForkBranch[]
    readonly join: 'all' | 'any'
    readonly onComplete: string
  },
): Edited {
  const ends = new Set(fork.branches.map(({ terminal }) => terminal))
  let ready: Edited = text
  for (const end of ends) ready = ready === null ? null : withFinal(ready, end)
  if (ready === null) return null
  const branches = Object.fromEntries(
    fork.branches.map(({ name, initial, terminal }) => [name, { initial, terminal }]),
  )
  const join = fork.join === 'all' ? {} : { join: fork.join }
  const body = { fork: { branches, ...join, on_complete: fork.onComplete } }
  return setField(ready, ['states', from, 'on', fork.event], body)
}

/** A branch ends in a final state (WF-24). */
function withFinal(text: string, state: string): Edited {
  const isFinal = fieldOf(parseText(text)?.value, ['states', state, 'type']) === 'final'
  return isFinal ? text : setFinal(text, state, true)
}

function withoutReference(text: string, value: unknown, path: ValuePath, heir: string): Edited {
  const [top, name, list, event] = path.map(String)
  if (top === 'initial') return setScalars(text, [path], heir)
  if (top === 'interrupts') return withoutMember(text, ['interrupts', name ?? ''])
  if (list === 'safe_next' || path.at(-1) === 'on_fail') {
    return setField(text, path.map(String), undefined)
  }
  const at = ['states', name ?? '', list ?? '', event ?? '']
  const written = fieldOf(value, at)
  if (Array.isArray(written)) {
    const left = written.filter((_, index) => index !== path[4])
    if (left.length > 0) return setField(text, at, left)
  }
  return withoutMember(text, at)
}

/** An empty list of ways or interrupts says nothing: it goes with its last member. */
function withoutMember(text: string, at: readonly string[]): Edited {
  const edited = setField(text, at, undefined)
  if (edited === null) return null
  const parent = at.slice(0, -1)
  const left = membersOf(fieldOf(parseText(edited)?.value, parent))
  return left.length === 0 ? setField(edited, parent, undefined) : edited
}

/** Where the event of an arrow is written. A join is written where its fork is. */
function eventPath(value: unknown, way: WayRef): readonly string[] | null {
  const { from, to, event, kind } = way
  if (from === anywhere) return ['interrupts', event]
  const state = kind === 'join' ? forkState(value, way) : from
  if (state === undefined) return null
  const hasAnswers = fieldOf(value, ['states', state, 'answers', event]) !== undefined
  const at = ['states', state, hasAnswers ? 'answers' : 'on', event]
  return fieldOf(value, at) === undefined || to === '' ? null : at
}

function forkState(value: unknown, { from, event }: WayRef): string | undefined {
  const states = membersOf(fieldOf(value, ['states']))
  const found = states.find(([name, body]) => {
    const fork = fieldOf(body, ['on', event, 'fork'])
    const ends = membersOf(fieldOf(fork, ['branches']))
    return fork !== undefined && (name === from || ends.some(([, one]) => isEnd(one, from)))
  })
  return found?.[0]
}

function isEnd(branch: unknown, state: string): boolean {
  return fieldOf(branch, ['terminal']) === state
}

/** The values that make the arrow lead where it does. */
function referencesOf(value: unknown, way: WayRef): readonly ValuePath[] {
  const { from, to, kind } = way
  if (kind === 'safe_next') return [['states', from, 'safe_next']]
  const at = eventPath(value, way)
  if (at === null) return []
  const target = to === anywhere ? '$return' : to
  return stateReferences(value).filter((path) => {
    const isUnder = at.every((name, index) => path[index] === name)
    const last = path.at(-1)
    const isKind = kind === 'fork' ? last === 'initial' : last !== 'initial' && last !== 'terminal'
    return isUnder && isKind && valueAt(value, path) === target
  })
}
