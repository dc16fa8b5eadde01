import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hasEnded } from '../run/snapshot.ts'
import { brief } from '../view/brief.ts'
import { runView } from '../view/run-view.ts'
import { agent, type Play, person, play, system, worker } from './play.test-kit.ts'

const workflow = `
id: w
initial: plan
meta: {approval_mode: ui, debug: true}
context: {n: 0}
evidence: {tests: {tool: Bash, command: npm test, stale_after: ["src/**"]}}
guards: {high: {field: n, op: gte, value: 2}, tested: {evidence: tests}}
interrupts: {js: {trigger: {file_pattern: "*.js", shell: true}, target: check},
    ts: {trigger: {file_pattern: "src/*.ts"}, target: check}}
policy: {role: agent, ask: [{capability: webfetch}], deny: [{capability: websearch}]}
states:
  plan: {allowed_tools: [Read, Edit, Bash, WebFetch, Agent], max_iterations: 4,
      max_files_per_state: 2, context_budget_bytes: 50, on: {GO: impl, SELF: plan,
      FORK: {fork: {branches: {a: {initial: a1, terminal: a2}, b: {initial: b1, terminal: b2}},
      join: any, on_complete: impl, on_fail: plan}}, SUB: {invoke: child, on_complete: impl,
      on_fail: plan}, ASK: {invoke: gate, on_complete: impl}}}
  impl: {safe_next: plan, on: {SHIP: {target: done, guards: [tested], requires_approval: true,
      approval_timeout_ms: 20}, HIGH: [{target: done, guard: high}, {target: plan}],
      ALL: {fork: {branches: {a: {initial: a1, terminal: a2}, b: {initial: b1, terminal: b2}},
      on_complete: plan}}}}
  check: {on: {OK: $return, FAIL: impl, ASK: {target: $return, requires_approval: true}}}
  a1: {on: {GO: a2, SUB: {invoke: child, on_complete: a2}}}
  a2: {type: final}
  b1: {allowed_tools: [Edit, Bash], on: {GO: {target: b2, requires_approval: true}, BAD: failed,
      ASK: {invoke: gate, on_complete: b2}}}
  b2: {type: final}
  done: {type: final}
  failed: {type: final}
`
const child = `
id: child
initial: c
output: [n]
states: {c: {allowed_tools: [Edit], on: {GO: ok, BAD: failed, SUB: {invoke: child,
    on_complete: ok}}}, ok: {type: final}, failed: {type: final}}
`
const gate = `
name: gate
initial: q
gate: [edit]
session_budget_usd: 0.001
states: {q: {question: Sure?, answers: {yes: {next: null}, "no": {next: null, action: block},
    ask: {next: null, action: notify_human}, warn: {next: q, action: warn}}}}
`

const actor = fc.constantFrom(agent, worker('wa'), worker('wb'), person, system)
const agents = fc.constantFrom(agent, worker('wa'), worker('wb'))
const branch = fc.constantFrom('a', 'b', 'x')
const event = fc.constantFrom(
  ...['GO', 'SELF', 'FORK', 'ALL', 'SUB', 'ASK', 'SHIP', 'HIGH', 'OK', 'FAIL', 'BAD', '?'],
  ...['BRANCH_DONE', 'BRANCH_DONE:a', 'BRANCH_DONE:b', 'BRANCH_FAIL:a', 'BRANCH_FAIL:b'],
)
const data = fc.constantFrom(undefined, { n: 1 }, { n: 2, rationale: 'why' }, { _x: 1 })
const digests = fc.constantFrom(undefined, { tests: { stale: 'd', definedBy: null } })
const file = fc.constantFrom('a.js', 'src/a.ts', 'x.md')
const command = fc.constantFrom('npm test', 'ls', 'echo 1 > b.js', 'rm x')
const callId = fc.integer({ min: 1, max: 6 }).map((number) => `c${number}`)

type Act = (run: Play) => unknown
const act: fc.Arbitrary<Act> = fc.oneof(
  fc.tuple(event, data, agents, digests).map(
    ([name, carried, by, facts]): Act =>
      (run) =>
        run.send(name, carried, { by, ...(facts === undefined ? {} : { digests: facts }) }),
  ),
  fc.tuple(event, data, agents).map(
    ([name, carried, by]): Act =>
      (run) =>
        run.send(name, carried, { by }),
  ),
  fc.tuple(file, agents).map(
    ([path, by]): Act =>
      (run) =>
        run.edit(path, { by }),
  ),
  fc.tuple(command, agents, digests).map(
    ([text, by, facts]): Act =>
      (run) =>
        run.bash(text, { by, more: facts === undefined ? {} : { digests: facts } }),
  ),
  fc
    .tuple(fc.constantFrom('Read', 'WebFetch', 'WebSearch', 'Agent'), agents, callId)
    .map(([tool, by, id]): Act => {
      return (run) => run.tool(tool, { by, id, argsHash: tool })
    }),
  fc
    .tuple(fc.integer({ min: 0, max: 5 }), fc.constantFrom('success', 'failure', null), digests)
    .map(([back, exit, facts]): Act => {
      return (run) => {
        const call = run.run.calls.at(-1 - back)
        const more = facts === undefined ? {} : { digests: facts }
        return run.result(call?.id ?? 'none', { exit, bytes: 9, costMicros: 200, ...more })
      }
    }),
  fc.constantFrom('yes', 'no', 'ask', 'warn', '?').map((answer): Act => {
    return (run) => run.answer(answer)
  }),
  fc
    .tuple(fc.constantFrom('approve', 'reject', 'expire'), actor, fc.boolean())
    .map(([verdict, by, always]): Act => {
      return (run) => run.resolve(verdict, { by, always })
    }),
  fc.tuple(branch, agents).map(
    ([name, by]): Act =>
      (run) =>
        run.bind(name, by),
  ),
  actor.map(
    (by): Act =>
      (run) =>
        run.pause(by),
  ),
  actor.map(
    (by): Act =>
      (run) =>
        run.resume(by),
  ),
  fc.constantFrom('plan', 'impl', 'check', 'nowhere').map((state): Act => {
    return (run) => run.force(state)
  }),
  fc.constant<Act>((run) => run.tool('process_state', { toUs: true })),
)

describe('whatever happens in a run', () => {
  test('WF-34: replay gives the snapshot, a refusal changes nothing, and nothing throws', () => {
    fc.assert(
      fc.property(fc.array(act, { maxLength: 40 }), fc.boolean(), (acts, strict) => {
        const run = play(workflow, { invokes: [child, gate], strict })
        for (const one of acts) {
          // The kit watches replay, refusals and in-place changes at every step.
          one(run)
          for (const by of [agent, worker('wa'), person]) {
            const text = brief(run.program, run.run, by)
            expect(runView(run.program, run.run, by).brief).toBe(text)
          }
        }
      }),
      { numRuns: 300 },
    )
  })

  test('WF-24, WF-33: forks join once, ended runs stay ended, and counts never fall', () => {
    fc.assert(
      fc.property(fc.array(act, { maxLength: 60 }), (acts) => {
        const run = play(workflow, { invokes: [child, gate] })
        let count = 0
        let cost = 0
        for (const one of acts) {
          const before = run.run
          one(run)
          expect(run.run.transitionCount).toBeGreaterThanOrEqual(count)
          expect(run.run.costMicros).toBeGreaterThanOrEqual(cost)
          count = run.run.transitionCount
          cost = run.run.costMicros
          if (hasEnded(before.status)) expect(run.run.status).toBe(before.status)
        }
        const forks = run.entries.filter((entry) => entry.type === 'forked').length
        const joins = run.entries.filter((entry) => entry.type === 'joined').length
        expect(joins).toBeLessThanOrEqual(forks)
        expect(run.entries.filter((entry) => entry.type === 'run_ended').length).toBe(
          hasEnded(run.run.status) ? 1 : 0,
        )
        const times = (type: string, upTo: number) =>
          run.entries.slice(0, upTo).filter((entry) => entry.type === type).length
        expect(times('approval_resolved', Number.POSITIVE_INFINITY)).toBeLessThanOrEqual(
          times('approval_opened', Number.POSITIVE_INFINITY),
        )
        // What waited is withdrawn at the end; a policy that holds after it may ask again (WF-15a).
        const end = run.entries.findIndex((entry) => entry.type === 'run_ended')
        if (end >= 0) expect(times('approval_resolved', end)).toBe(times('approval_opened', end))
      }),
      { numRuns: 300 },
    )
  })
})
