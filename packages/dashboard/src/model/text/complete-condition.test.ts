import { workflowJsonSchema } from '@statewright/core/internal'
import { describe, expect, test } from 'vitest'
import { offersAt } from './complete.ts'

const schema = workflowJsonSchema()

function offered(text: string, written: string) {
  const marked = text.replace('HERE', () => written)
  return offersAt(schema, marked.replace('@@', ''), marked.indexOf('@@'))
}

/** Labels offered at the two signs `@@` of what is written, which is put into the text. */
function labels(text: string, written: string): readonly string[] {
  return offered(text, written)?.offers.map(({ label }) => label) ?? []
}

const bank = `id: bank
initial: working
states:
  working:
    calls:
      transfer:
        - HERE
          message: Read the balance first.
facts:
  balance: { from: read_balance, value: result.amount }
  people: { from: list_people, each: result, key: item.name }
marks:
  sent: { on: transfer }
policy:
  marks:
    mailed: { on: send_mail }
`

const whole = bank.replace('HERE', 'require: "true"')
const top = (written: string) => labels(`${whole}HERE`, written)

describe('what can be written in a condition', () => {
  test('variables of the place and functions, with what they say', () => {
    const found = labels(bank, 'require: @@')
    expect(found).toEqual(expect.arrayContaining(['args', 'facts', 'shell', 'glob', 'size']))
    expect(found).not.toContain('result')
    expect(found).not.toContain('startsWith')
    const [first] = offered(bank, 'require: ar@@')?.offers ?? []
    expect(first?.detail).toBe('Arguments of the call that is checked.')
    const glob = offered(bank, 'require: gl@@')?.offers.find(({ label }) => label === 'glob')
    expect(glob?.insert).toBe('glob(')
  })

  test('facts and marks by the names that the definition gives', () => {
    expect(labels(bank, 'require: args.amount <= facts.@@')).toEqual(['balance', 'people'])
    expect(labels(bank, 'require: "!marks.@@')).toEqual(['sent', 'mailed'])
    expect(labels(bank, 'require: "!marks.@@"')).toEqual(['sent', 'mailed'])
    expect(labels(bank, "require: 'args.to in facts.pe@@'")).toEqual(['balance', 'people'])
    expect(labels(bank, '{ require: args.to in facts.@@')).toEqual(['balance', 'people'])
    expect(labels(bank, 'require: args.@@')).toEqual([])
  })

  test('in block scalars and over several lines', () => {
    const indent = ' '.repeat(12)
    for (const sign of ['>-', '|', '']) {
      const lines = `require: ${sign}\n${indent}args.amount > 1 &&\n${indent}`
      expect(labels(bank, `${lines}facts.@@`)).toEqual(['balance', 'people'])
      expect(labels(bank, `${lines}@@`)).toContain('args')
    }
    expect(labels(bank, 'require: >@@')).toEqual([])
    // Less far in it is the next field.
    expect(labels(bank, 'require: args.a > 1\n          @@')).not.toContain('args')
  })

  test('behind a value functions of values, and macros', () => {
    const found = labels(bank, 'require: facts.people.@@')
    expect(found).toEqual(expect.arrayContaining(['exists', 'all', 'startsWith']))
    expect(found).not.toContain('glob')
    expect(labels(bank, 'require: args.to.trim().@@')).toContain('endsWith')
    expect(labels(bank, 'require: args.ids[0].@@')).toContain('endsWith')
  })

  test('nothing inside texts, behind them, in comments and where an operator comes', () => {
    expect(labels(bank, 'require: args.to == "facts.@@')).toEqual([])
    expect(labels(bank, 'require: "args.to == \\"facts.@@')).toEqual([])
    expect(labels(bank, "require: 'args.to == ''facts.@@")).toEqual([])
    expect(labels(bank, 'require: "args.to" @@')).toEqual([])
    expect(labels(bank, 'require: args.to # facts.@@')).toEqual([])
    expect(labels(bank, 'require: args.to @@')).toEqual([])
    expect(labels(bank, 'require: args.to in @@')).toContain('facts')
    expect(labels(bank, 'require: args.to == "a" && @@')).toContain('facts')
  })

  test('by the scope: of results, of guards, of triggers that are read either way', () => {
    const fact = labels(whole.replace('result.amount', 'HERE'), 're@@')
    expect(fact).toEqual(expect.arrayContaining(['result', 'exit', 'item', 'args']))
    expect(fact).not.toContain('files')
    expect(labels(whole.replace('each: result', 'each: HERE'), 're@@')).not.toContain('item')
    const guard = top('guards:\n  ready:\n    when: @@')
    expect(guard).toContain('facts')
    expect(guard).not.toContain('args')
    const trigger = top('interrupts:\n  big:\n    trigger:\n      tool: Edit\n      when: @@')
    expect(trigger).toEqual(expect.arrayContaining(['files', 'result']))
    expect(trigger).not.toContain('item')
    const mark = labels(whole.replace('{ on: transfer }', '{ on: transfer, when: HERE }'), '@@')
    expect(mark).toContain('args')
    const rule = labels(
      `${whole}  deny:\n    - { capability: shell, when: HERE }\n`,
      'shell.hosts == @@',
    )
    expect(rule).toContain('args')
  })

  test('in JSON as well', () => {
    const text = '{"facts": {"a": {"from": "x"}}, "guards": {"g": {"when": "HERE"}}}'
    const lines = text.replace(', "guards"', ',\n"guards"')
    expect(labels(lines, 'facts.@@')).toEqual(['a'])
    expect(labels(lines, '@@')).toContain('context')
  })

  test('and nowhere else', () => {
    expect(labels(bank, 'require: "true"\n          message: @@')).toEqual([])
    expect(labels(bank, 'require@@')).not.toContain('args')
    expect(labels(bank, 'require:@@')).not.toContain('args')
  })
})
