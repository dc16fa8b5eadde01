import { programTable } from '@statewright/core/internal'
import { describe, expect, test } from 'vitest'
import { answers, answerWords, readClaims, storyOf, unanswered } from './claims.ts'
import { readText } from './play.ts'

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
    const [wrong] = [...answers(program, [{ never: { enter: 'dome' } }], programTable({}))]
    expect(answerWords(wrong ?? null).words).toContain('There is no state "dome".')
  })
})
