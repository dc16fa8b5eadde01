import { programTable } from '@statewright/core/internal'
import { describe, expect, test } from 'vitest'
import { readText } from '../simulator/play.ts'
import {
  answers,
  answerWords,
  assumedBy,
  readClaims,
  stepsIf,
  storyOf,
  unanswered,
} from './claims.ts'

const text = `id: ship
initial: working
meta: { approval_mode: ui }
states:
  working:
    on: { SHIP: { target: done, requires_approval: true }, HURRY: done }
  done: { type: final }
`

describe('claims in the editor', () => {
  test('PV-12: are read from a scenario file, from a list and alone', () => {
    const claim = { never: { enter: 'done' } }
    const all = [
      'claims: [{ never: { enter: done } }]',
      '- never: { enter: done }',
      'never: { enter: done }',
    ]
    for (const one of all) expect(readClaims(one)).toEqual({ claims: [claim], fault: null })
    expect(readClaims('')).toEqual({ claims: [], fault: null })
    expect(readClaims('never: { entre: done }').fault).toContain('entre')
    expect(readClaims('{').fault).not.toBeNull()
  })

  test('PV-12: each has an answer, and what refutes one is a story for the simulator', () => {
    const { program } = readText(text)
    if (program === null) throw new Error('the text cannot be read')
    const { claims } = readClaims('never: { enter: done }\nunless: { approval: true }')
    const found = [...answers(program, claims, programTable({}))]
    expect(found).toHaveLength(unanswered(claims).length)
    expect(found.map((answer) => answerWords(answer).words)).toEqual([
      ...['refuted', 'proved', 'proved', 'proved', 'proved', 'proved', 'refuted'],
    ])
    expect(storyOf(found[0] ?? null)).toMatchObject([{ kind: 'send', event: 'HURRY' }])
    expect(
      assumedBy(unanswered(claims).map((one, at) => ({ ...one, answer: found[at] ?? null }))),
    ).toEqual([
      'one agent, whose calls end before its next move',
      'nobody pauses, forces or stops the run',
      'runs are not strict',
      'tools can succeed',
      'no policy stands in the way',
      'people can approve',
    ])
    const [wrong] = [...answers(program, [{ never: { enter: 'dome' } }], programTable({}))]
    expect(answerWords(wrong ?? null).words).toContain('There is no state "dome".')
  })

  test('PV-12: what hangs on conditions is told step by step', () => {
    const guarded = `
id: guarded
initial: a
facts: { seen: { from: Read, value: result.ok } }
states:
  a: { allowed_tools: [Read], on: { GO: { target: b, guard: g } } }
  b: { type: final }
guards: { g: { when: facts.seen } }
`
    const { program } = readText(guarded)
    if (program === null) throw new Error('the text cannot be read')
    const [found] = [...answers(program, [{ never: { enter: 'b' } }], programTable({}))]
    expect(storyOf(found ?? null)).toBeNull()
    expect(stepsIf(found ?? null)).toEqual(['tool: Read, input: {}', 'send: GO, state: b'])
  })
})
