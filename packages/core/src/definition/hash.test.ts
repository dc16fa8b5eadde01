import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalText, definitionHash, hashText } from './hash.ts'
import { parseWorkflow } from './parse/parse-workflow.ts'

const hashOf = (input: unknown) => definitionHash(parseWorkflow(input).definition ?? {})

const fork = (branches: string) => `{"fork":{"branches":{${branches}},"on_complete":"b"}}`
const text = (add: { top?: string; on?: string; state?: string } = {}) =>
  `{"id":"x","initial":"a","states":{"a":{${add.state ?? ''}"on":{${add.on ?? '"GO":"b"'}}},` +
  `"b":{"type":"final"}}${add.top ?? ''}}`

describe('the content hash', () => {
  test('WF-4: is sha-256 over UTF-8, in hexadecimal', () => {
    expect(hashText('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  })

  test('WF-4: the order of fields, blanks and the notation do not matter', () => {
    const yaml = 'states:\n  b: {type: final}\n  a: {on: {GO: b}}\ninitial: a\nid: x\n'
    expect(hashOf(yaml)).toBe(hashOf(text()))
    expect(hashOf(text())).toMatch(/^[0-9a-f]{64}$/)
  })

  test('WF-4: $schema does not count, anything else does', () => {
    expect(hashOf(text({ top: ',"$schema":"s"' }))).toBe(hashOf(text()))
    expect(hashOf(text({ top: ',"meta":{"note":1}' }))).not.toBe(hashOf(text()))
    expect(hashOf(text({ state: '"max_iterations":3,' }))).not.toBe(hashOf(text()))
  })

  test('WF-2, WF-4: aliases hash as the names they stand for', () => {
    const alias = text({ state: '"deny_env":["A"],"env":{"B":"c"},' })
    const plain = text({ state: '"blocked_env":["A"],"env_overrides":{"B":"c"},' })
    expect(hashOf(alias)).toBe(hashOf(plain))
  })

  const interrupt = (name: string) => `"${name}":{"trigger":{"file_pattern":"*"},"target":"a"}`
  const branch = (name: string) => `"${name}":{"initial":"a","terminal":"b"}`
  test.each([
    ['interrupts', (list: string[]) => text({ top: `,"interrupts":{${list.map(interrupt)}}` })],
    ['branches', (list: string[]) => text({ on: `"GO":${fork(list.map(branch).join())}` })],
    [
      'candidates',
      (list: string[]) =>
        text({ on: `"GO":[${list.map((name) => `{"target":"b","approval_message":"${name}"}`)}]` }),
    ],
  ])('WF-4b: the order of %s is meaning', (_, build) => {
    expect(hashOf(build(['one', 'two']))).not.toBe(hashOf(build(['two', 'one'])))
  })

  test('WF-4b: elsewhere order means nothing, even under a name that is ordered elsewhere', () => {
    const swapped = '"states":{"b":{"type":"final"},"a":{"on":{"GO":"b"}}}'
    expect(hashOf(`{"id":"x","initial":"a",${swapped}}`)).toBe(hashOf(text()))
    const context = (members: string) => text({ top: `,"context":{"branches":{${members}}}` })
    expect(hashOf(context('"q":1,"p":2'))).toBe(hashOf(context('"p":2,"q":1')))
  })

  test('PR-1, WF-4: what the system assigns to a process does not count', () => {
    const process = { name: 'p', initial: 'a', states: { a: { question: 'q', answers: {} } } }
    const stored = { ...process, id: 'proc_1', createdAt: 'now', updatedAt: 'later' }
    expect(canonicalText(stored)).toBe(canonicalText(process))
    const answers = (list: object) => ({
      ...process,
      states: { a: { question: 'q', answers: list } },
    })
    expect(canonicalText(answers({ yes: {}, no: {} }))).not.toBe(
      canonicalText(answers({ no: {}, yes: {} })),
    )
  })

  test('WF-4: equal values give equal text, whatever their order', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const canonical = canonicalText({ context: value })
        expect(canonicalText(JSON.parse(canonical))).toBe(canonical)
        expect(JSON.parse(canonical)).toEqual(JSON.parse(JSON.stringify({ context: value })))
      }),
    )
  })
})
