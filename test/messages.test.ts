import { codes } from '@statewright/core/internal'
import { describe, expect, test } from 'vitest'
import { messages } from '../scripts/messages/all.ts'
import { findMessages } from '../scripts/messages/find-messages.ts'
import { parse } from './tidy/syntax.ts'

const all = messages()
const found = (text: string) => all.find((one) => one.text.includes(text))

describe('the list of messages', () => {
  test.each([
    ['may not be used in {state}. Allowed: {allowed:none}.', 'problem', 'tool_not_allowed'],
    ['Another session is working on this run.', 'problem', 'locked'],
    ['Watching all runs. Leave with Ctrl-C.', 'command', undefined],
    ['Search or run a command', 'page', undefined],
    ['the hook does not name its folder', 'command', undefined],
  ])('holds %j', (text, kind, code) => {
    expect(found(text)).toMatchObject({ kind, codes: code === undefined ? [] : [code] })
  })

  test('has words for every code by which a call is denied or an event refused', () => {
    const withWords = new Set(all.flatMap((one) => one.codes))
    const refusals = Object.entries(codes).filter(([, { exit }]) => exit === 3 || exit === 5)
    const silent = refusals.map(([code]) => code).filter((code) => !withWords.has(code))
    // The words of one come as an argument; the other is only the exit code of a command.
    expect(silent).toEqual(['step_up_required', 'scenario_failed'])
  })

  test.each([
    // biome-ignore lint/suspicious/noTemplateCurlyInString: source text that is read.
    ["problem('locked', `Held by ${name}.`)", 'problem', ['locked'], `Held by \${name}.`],
    ["f({ code: 'locked', message: 'It is held.' })", 'problem', ['locked'], 'It is held.'],
    [
      "function f() { const m = 'It is held.'; g({ code: 'locked', message: m }) }",
      'problem',
      ['locked'],
      'It is held.',
    ],
    ['<p>Held by <b>one</b> of {count} runs</p>', 'text', [], `Held by <…> of \${count} runs`],
    ['<Field label="Name" className="a b" />', 'text', [], 'Name'],
    ["z.string().describe('What it holds.')", 'description', [], 'What it holds.'],
  ])('reads %s', (text, kind, sent, words) => {
    const messagesIn = findMessages(parse({ path: 'a.tsx', text }), (word) => word === 'locked')
    expect(messagesIn[0]).toMatchObject({ kind, codes: sent, text: words })
  })

  test.each([
    "import a from './two words.ts'",
    "db.run('SELECT a FROM b')",
    "invariant(a, 'a bug is here')",
    "throw new Error('bug: it is here')",
    "const names = 'cd pushd popd'.split(' ')",
    '<p className={isOn ? "button small" : "button"} />',
    "reply('text/html; charset=utf-8')",
  ])('leaves %s out', (text) => {
    expect(findMessages(parse({ path: 'a.tsx', text }), () => false)).toEqual([])
  })
})
