import { describe, expect, it } from 'vitest'
import { limits } from '../../packages/core/src/base/limits.ts'
import { play } from './play.ts'

const states = `
states:
  working: { on: { DONE: done } }
  done: { type: final }
`
const looking = `
id: look
initial: working
facts:
  seen: { from: mcp__a__look, key: args.id, value: result.value, forget_on: mcp__a__spoil }
calls:
  mcp__a__act: [{ require: has(facts.seen) && args.id in facts.seen, message: Look first. }]
${states}`
const ofJson = (bytes: number) => 'x'.repeat(bytes - 2)

describe('FC-13: every bound at its edge', () => {
  const isKnown = (value: unknown) => {
    const { call } = play(looking)
    call('mcp__a__look', { id: 'a' }, { value })
    return call('mcp__a__act', { id: 'a' }).kind === 'allow'
  }

  it('FC-13: a value of 4 kB is kept, one more byte is not', () => {
    expect(isKnown(ofJson(limits.factBytes))).toBe(true)
    expect(isKnown(ofJson(limits.factBytes + 1))).toBe(false)
  })

  it('FC-13: 256 keys are kept, one more is not', () => {
    const { call } = play(looking)
    for (let key = 0; key <= limits.factKeys; key++) {
      call('mcp__a__look', { id: `k${key}` }, { value: 1 })
    }
    expect(call('mcp__a__act', { id: `k${limits.factKeys - 1}` }).kind).toBe('allow')
    expect(call('mcp__a__act', { id: `k${limits.factKeys}` }).kind).toBe('deny')
  })

  it('FC-13: 64 kB of facts are kept, and what comes after is not', () => {
    const { call } = play(looking)
    const value = ofJson(limits.factBytes)
    const max = Math.floor(limits.factBytesPerRun / (limits.factBytes + 2))
    for (let key = 10; key < 12 + max; key++) call('mcp__a__look', { id: `${key}` }, { value })
    expect(call('mcp__a__act', { id: `${9 + max}` }).kind).toBe('allow')
    expect(call('mcp__a__act', { id: `${10 + max}` }).kind).toBe('deny')
  })

  it('FC-2: a result of 256 kB teaches, one more byte does not', () => {
    const text = (bytes: number) => {
      const short = JSON.stringify({ value: 1, more: '' })
      return JSON.stringify({ value: 1, more: 'x'.repeat(bytes - short.length) })
    }
    const teaches = (bytes: number) => {
      const { ask, end, call } = play(looking)
      end(ask('mcp__a__look', { id: 'a' }).id, undefined, { result: { text: text(bytes) } })
      return call('mcp__a__act', { id: 'a' }).kind === 'allow'
    }
    expect(teaches(limits.resultBytes - 20)).toBe(true)
    expect(teaches(limits.resultBytes + 1)).toBe(false)
  })

  it('FC-13: 8 kB of arguments are read, more are not known', () => {
    const reads = (length: number) => {
      const { call } = play(`
id: long
initial: working
calls:
  mcp__a__act: [{ require: "args.text != ''", message: Say something. }]
${states}`)
      return call('mcp__a__act', { text: 'x'.repeat(length) }).kind
    }
    // The name, its quotes and the braces count as well.
    expect(reads(limits.argumentBytes - 12)).toBe('allow')
    expect(reads(limits.argumentBytes - 11)).toBe('deny')
  })

  it('FC-11: the newest 32 kB of what was asked for count', () => {
    const mentioned = (after: number) => {
      const { call } = play(
        `
id: asked
initial: working
calls:
  mcp__a__act: [{ require: "mentions(task, args.name)", message: Ask first. }]
${states}`,
        `Bob ${'x'.repeat(after)}`,
      )
      return call('mcp__a__act', { name: 'Bob' }).kind
    }
    expect(mentioned(limits.taskBytes - 4)).toBe('allow')
    expect(mentioned(limits.taskBytes - 3)).toBe('deny')
  })

  it('FC-4: a call whose end is never told is awaited for ten minutes', () => {
    const learns = (after: number) => {
      const { ask, call, tick } = play(looking)
      ask('mcp__a__spoil', {})
      tick(after)
      call('mcp__a__look', { id: 'a' }, { value: 1 })
      return call('mcp__a__act', { id: 'a' }).kind
    }
    expect(learns(limits.forgetOpenMs - 2)).toBe('deny')
    expect(learns(limits.forgetOpenMs - 1)).toBe('allow')
  })
})
