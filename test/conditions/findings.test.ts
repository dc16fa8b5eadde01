import { check } from '@statewright/core'
import { describe, expect, it } from 'vitest'

const findings = (more: string) =>
  check(`
id: checked
initial: working
${more}
states:
  working: { on: { DONE: done } }
  done: { type: final }
`).map(({ code, message }) => `${code}: ${message}`)

const one = (require: string) => `calls:
  WebFetch: [{ require: ${JSON.stringify(require)}, message: No. }]`

describe('FC-6, FC-15: what an author is told of conditions', () => {
  it.each([
    [
      one('args.url =='),
      ['invalid_condition: The condition cannot be read: unexpected token: EOF.'],
    ],
    [one('"a"'), ['invalid_condition: The condition must be true or false, but is a string.']],
    [one('facts.nope == 1'), ['unknown_fact: There is no fact "nope".']],
    [one('!marks.nope'), ['unknown_mark: There is no mark "nope".']],
    [
      one('glob(args.url, "x/")'),
      [
        'invalid_condition: The condition cannot be read: the pattern cannot be used: ' +
          'it names a folder; ' +
          'write "folder/**" for what is in it.',
      ],
    ],
    [
      `facts:\n  seen: { from: Read, key: args.x }\n${one('!(args.url in facts.seen)')}`,
      [
        'fact_opens: Until the fact is known, "args.url in facts.seen" lets calls through. ' +
          'Use a mark for what must stay denied.',
      ],
    ],
    [
      'calls:\n  WebFetch: [{ require: "args.url != \'\'" }]',
      [
        'condition_without_message: Without a "message" the agent reads only the condition. ' +
          'Say what the agent should do.',
      ],
    ],
    [
      one('args.url == 5'),
      ['condition_type: The condition compares a string with a number: "args.url == 5".'],
    ],
    [
      'facts:\n  seen: { from: Read, each: result.rows }',
      ['invalid_condition: "each" needs a "key" that tells its items apart.'],
    ],
    ['policy:\n  allow: [{ capability: edit, when: "args.a == 1" }, { capability: edit }]', []],
    [one('host(args.url) == "a.com"'), []],
  ])('%s', (more, expected) => {
    expect(findings(more)).toEqual(expected)
  })
})
