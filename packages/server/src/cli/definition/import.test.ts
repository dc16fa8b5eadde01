import { describe, expect, test } from 'vitest'
import { importDefinition } from './import.ts'

const hosted = {
  id: 'deploy',
  initial: 'a',
  version: 3,
  allowed_domains: ['example.com'],
  states: {
    a: {
      allowed_tools: ['Read'],
      max_tokens: 500,
      color: 'red',
      on: { GO: { target: 'b', cooldown_ms: 5 } },
    },
    b: { type: 'final' },
  },
  meta: { owner: 'ops' },
}

describe('a definition exported from statewright.ai', () => {
  const { definition, foreign, findings } = importDefinition(hosted)

  test('keeps every foreign field with its place, and can be used', () => {
    expect(findings).toEqual([])
    expect(definition).toEqual({
      id: 'deploy',
      initial: 'a',
      states: {
        a: { allowed_tools: ['Read'], on: { GO: { target: 'b' } } },
        b: { type: 'final' },
      },
      meta: {
        owner: 'ops',
        imported: {
          version: 3,
          allowed_domains: ['example.com'],
          'states.a.max_tokens': 500,
          'states.a.color': 'red',
          'states.a.on.GO.cooldown_ms': 5,
        },
      },
    })
  })

  test('warns of each that would restrict, and of no other', () => {
    const warned = foreign.filter(({ restricts }) => restricts).map(({ path }) => path)
    expect(warned.sort()).toEqual([
      'allowed_domains',
      'states.a.max_tokens',
      'states.a.on.GO.cooldown_ms',
    ])
  })

  test('FC-1: keeps facts, marks and conditions where they are, and looks at them', () => {
    const rules = {
      facts: { seen: { from: 'mcp__bank__list', each: 'result', key: 'item.id' } },
      marks: { sent: { on: 'mcp__bank__pay', when: 'args.amount > 0' } },
      calls: { mcp__bank__pay: [{ require: 'args.to in facts.seen', message: 'List them.' }] },
      guards: { sent: { when: 'marks.sent' } },
    }
    const bank = {
      id: 'bank',
      initial: 'a',
      ...rules,
      states: { a: { on: { GO: { target: 'b', guard: 'sent' } } }, b: { type: 'final' } },
    }
    expect(importDefinition(bank)).toEqual({ definition: bank, foreign: [], findings: [] })
    const cached = { ...rules.facts.seen, cache_ms: 5 }
    const foreign = importDefinition({ ...bank, facts: { seen: cached } })
    expect(foreign.definition).toEqual({
      ...bank,
      meta: { imported: { 'facts.seen.cache_ms': 5 } },
    })
    const broken = importDefinition({ ...bank, guards: { sent: { when: 'args.to == 1' } } })
    expect(broken.findings.map(({ code, path }) => [code, path.join('.')])).toEqual([
      ['invalid_condition', 'guards.sent.when'],
    ])
  })

  test('leaves what it was given as it was', () => {
    expect(hosted.version).toBe(3)
  })

  test('tells what is still wrong', () => {
    const broken = importDefinition({ ...hosted, initial: 'nowhere', states: 5 })
    expect(broken.findings.some(({ severity }) => severity === 'error')).toBe(true)
  })

  test.each([[null], ['text'], [[1, 2]], [{}]])('%j is no definition and no crash', (source) => {
    expect(importDefinition(source).findings.length).toBeGreaterThan(0)
  })
})
