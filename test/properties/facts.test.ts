import { compile, type Entry, replay, start, step } from '@statewright/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const definition = `
id: bank
initial: working
facts:
  balance:
    from: mcp__bank__read
    key: args.account
    value: result.balance
    forget_on: mcp__bank__pay
    expires: 10s
marks:
  fetched: { on: WebFetch, when: "args.url != 'safe'" }
guards:
  poor: { when: "facts.balance.exists(one, facts.balance[one] == 0)" }
calls:
  mcp__bank__pay:
    - { require: "!marks.fetched && args.amount <= facts.balance[args.account]", message: Look. }
states:
  working: { on: { DONE: { target: done, guard: poor } } }
  done: { type: final }
`

const account = fc.constantFrom('a', 'b')
const action = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('read' as const), account, balance: fc.nat(3) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('pay' as const), account, amount: fc.nat(3) }),
  },
  fc.record({
    do: fc.constant('fetch' as const),
    url: fc.constantFrom('safe', 'safe', 'safe', 'evil'),
  }),
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('end' as const),
      which: fc.nat(9),
      source: fc.constantFrom('observed' as const, 'observed' as const, 'reported' as const),
      exit: fc.constantFrom('success' as const, 'success' as const, 'failure' as const, null),
    }),
  },
  fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(1000, 11_000) }),
  { weight: 1, arbitrary: fc.record({ do: fc.constant('done' as const) }) },
)

interface Open {
  readonly id: string
  readonly kind: 'read' | 'pay' | 'fetch'
  readonly account: string
  readonly balance: number
  /** Payments that had been let through, and whether one was under way, when it was asked for. */
  readonly paid: number
  readonly isDisturbed: boolean
}

/** What ought to be known, worked out from the actions alone. */
class Oracle {
  known = new Map<string, { value: number; at: number }>()
  isFetched = false
  paid = 0
  paying = new Set<string>()
  at = 0

  balance(of: string): number | undefined {
    const seen = this.known.get(of)
    return seen === undefined || this.at >= seen.at + 10_000 ? undefined : seen.value
  }

  mayPay(of: string, amount: number): boolean {
    const balance = this.balance(of)
    return !this.isFetched && balance !== undefined && amount <= balance
  }

  pay(id: string): void {
    this.known.clear()
    this.paid += 1
    this.paying.add(id)
  }

  end(open: Open, teaches: boolean): void {
    if (open.kind === 'pay') this.paying.delete(open.id)
    if (open.kind !== 'read' || !teaches || open.isDisturbed || open.paid !== this.paid) return
    this.known.set(open.account, { value: open.balance, at: this.at })
  }

  isPoor(): boolean {
    return [...this.known.keys()].some((one) => this.balance(one) === 0)
  }
}

describe('facts and marks over any story', () => {
  it('FC-2, FC-4, FC-5: are what an independent reading of it says, and play again', () => {
    const compiled = compile(definition)
    if (!compiled.ok) throw new Error(JSON.stringify(compiled.error))
    const program = compiled.value
    let allowed = 0
    fc.assert(
      fc.property(fc.array(action, { minLength: 10, maxLength: 40, size: 'max' }), (story) => {
        const oracle = new Oracle()
        oracle.at = 1
        const first = start(program, { at: 1, by: { kind: 'person', id: 'ada' } })
        let { snapshot } = first
        const entries: Entry[] = [...first.entries]
        let open: Open[] = []
        const send = (event: Parameters<typeof step>[2]) => {
          const made = step(program, snapshot, event)
          if (made.refusal !== undefined) expect(made.snapshot).toEqual(snapshot)
          snapshot = made.snapshot
          entries.push(...made.entries)
          return made
        }
        const ask = (id: string, tool: string, input: object) => {
          const { answer } = send({
            type: 'tool_requested',
            at: oracle.at,
            call: { id, tool, input },
          })
          return answer.type === 'decided' && answer.decision.kind === 'allow'
        }
        for (const [index, one] of story.entries()) {
          if (snapshot.status !== 'running') break
          oracle.at += 1
          const id = `c${index}`
          const stand = { id, paid: oracle.paid, isDisturbed: oracle.paying.size > 0 }
          if (one.do === 'wait') oracle.at += one.ms
          if (one.do === 'read') {
            const { account: of, balance } = one
            expect(ask(id, 'mcp__bank__read', { account: of })).toBe(true)
            open.push({ ...stand, kind: 'read', account: of, balance })
          }
          if (one.do === 'fetch') {
            expect(ask(id, 'WebFetch', { url: one.url })).toBe(true)
            if (one.url !== 'safe') oracle.isFetched = true
            open.push({ ...stand, kind: 'fetch', account: '', balance: 0 })
          }
          if (one.do === 'pay') {
            const { account: of, amount } = one
            const isLet = oracle.mayPay(of, amount)
            expect(ask(id, 'mcp__bank__pay', { account: of, amount })).toBe(isLet)
            if (isLet) {
              allowed += 1
              oracle.pay(id)
              open.push({ ...stand, kind: 'pay', account: of, balance: 0 })
            }
          }
          if (one.do === 'end' && open.length > 0) {
            const ended = open[one.which % open.length]
            if (ended === undefined) continue
            const { source, exit } = one
            const result = { structured: { balance: ended.balance } }
            send({ type: 'tool_finished', at: oracle.at, callId: ended.id, exit, source, result })
            oracle.end(ended, source === 'observed' && exit === 'success')
            open = open.filter((other) => other !== ended)
          }
          if (one.do === 'done') {
            const isPoor = oracle.isPoor()
            const moved = send({ type: 'transition_requested', at: oracle.at, event: 'DONE' })
            expect(moved.snapshot.status === 'completed').toBe(isPoor)
          }
        }
        const again = replay(program, entries)
        expect(again.ok && again.value).toEqual(snapshot)
        expect(JSON.parse(JSON.stringify(snapshot))).toEqual(snapshot)
      }),
      { numRuns: 300, seed: 18 },
    )
    expect(allowed).toBeGreaterThan(20)
  })
})
