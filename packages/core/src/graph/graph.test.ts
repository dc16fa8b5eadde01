import { describe, expect, test } from 'vitest'
import { parseWorkflow } from '../definition/parse/parse-workflow.ts'
import { parseProcess } from '../process/parse-process.ts'
import { toDot } from './dot.ts'
import { type Graph, processGraph, workflowGraph } from './edges.ts'
import { toMermaid } from './mermaid.ts'

function workflow(text: string): Graph {
  const { definition, findings } = parseWorkflow(text)
  if (definition === undefined) throw new Error(JSON.stringify(findings))
  return workflowGraph(definition)
}

const full = `
id: w
initial: a
guards: {g: {field: x, op: exists}}
interrupts: {js: {trigger: {file_pattern: "*.js"}, target: h}}
states:
  a:
    allowed_tools: [Read]
    safe_next: b
    on:
      GO: b
      PICK: [{target: b, guard: g}, {target: z, requires_approval: true}]
      SUB: {invoke: other, on_complete: b, on_fail: z}
      FORK: {fork: {branches: {l: {initial: l1, terminal: l2}}, join: any, on_complete: b,
          on_fail: z}}
  b: {allowed_tools: [], on: {END: z}}
  h: {on: {OK: $return}}
  l1: {on: {GO: l2}}
  l2: {type: final}
  z: {type: final}
`

describe('a definition as a graph', () => {
  test('WF-1, PR-2: every way from state to state is an edge', () => {
    expect(
      workflow(full).edges.map(({ from, to, label, kind }) => `${from} ${to} ${kind}: ${label}`),
    ).toEqual([
      'a b event: GO',
      'a b event: PICK [g]',
      'a z event: PICK (approval)',
      'a b event: SUB / other',
      'a z event: SUB / other fails',
      'a l1 fork: FORK / l',
      'l2 b join: join any',
      'a z join: FORK / branch fails',
      'a b safe_next: any other event',
      'b z event: END',
      'h $return event: OK',
      'l1 l2 event: GO',
      '* h interrupt: js: *.js',
    ])
  })

  test('PR-2: a process is drawn by its answers', () => {
    const { definition } = parseProcess(`
name: p
initial: q
states:
  q: {question: "Sure?", answers: {yes: {next: r}, no: {next: null, action: block}}}
  r: {question: Done.}
`)
    if (definition === undefined) throw new Error('not parsed')
    const graph = processGraph(definition)
    expect(graph.nodes.map(({ name, isFinal }) => `${name} ${isFinal}`)).toEqual([
      'q false',
      'r true',
      'end true',
    ])
    expect(graph.edges.map(({ from, to, label }) => `${from} ${to} ${label}`)).toEqual([
      'q r yes',
      'q end no (block)',
    ])
  })
})

describe('Mermaid', () => {
  test('WF-1: states have plain ids, names stand as text', () => {
    expect(toMermaid(workflow(full), { current: 'b' })).toBe(`stateDiagram-v2
  state "a" as s0
  state "b" as s1
  state "h" as s2
  state "l1" as s3
  state "l2" as s4
  state "z" as s5
  [*] --> s0
  s0 --> s1 : GO
  s0 --> s1 : PICK #91;g#93;
  s0 --> s5 : PICK (approval)
  s0 --> s1 : SUB / other
  s0 --> s5 : SUB / other fails
  s0 --> s3 : FORK / l
  s4 --> s1 : join any
  s0 --> s5 : FORK / branch fails
  s0 --> s1 : any other event
  s1 --> s5 : END
  note left of s2 : OK returns
  s3 --> s4 : GO
  s4 --> [*]
  s5 --> [*]
  note right of s2 : interrupt js#58; *.js
  classDef current font-weight:bold,stroke-width:3px
  class s1 current
`)
  })
})

const hostile = [
  'a"; click s0 href "javascript:alert(1)',
  '<script>alert(1)</script>',
  'x --> y : z',
  'end note\nstate "evil" as s0',
  '%%{init: {"securityLevel": "loose"}}%%',
  'a\\" ] ; "evil" [label="x',
  '<b>bold</b>',
  'line\u2028break\u0000\u202e',
  '$(touch x) `touch x`',
]

function named(name: string): Graph {
  return {
    title: name,
    nodes: [{ name, isInitial: true, isFinal: true, note: name }],
    edges: [
      { from: name, to: name, label: name, event: 'E', kind: 'event' },
      { from: name, to: '$return', label: name, event: 'E', kind: 'event' },
      { from: '*', to: name, label: name, event: 'E', kind: 'interrupt' },
    ],
  }
}

describe('hostile names', () => {
  const cases = hostile.map((name) => ({ name, text: JSON.stringify(name) }))

  test.each(cases)('WF-2a: in Mermaid $text stays a label', ({ name }) => {
    const lines = toMermaid(named(name), { current: name }).split('\n')
    const shape = lines.map((line) => line.replace(/"[^"]*"/, '"…"').replace(/ : .*$/, ' : …'))
    expect(shape).toEqual([
      'stateDiagram-v2',
      '  state "…" as s0',
      '  [*] --> s0',
      '  s0 --> s0 : …',
      '  note left of s0 : …',
      '  s0 --> [*]',
      '  note right of s0 : …',
      '  classDef current font-weight:bold,stroke-width:3px',
      '  class s0 current',
      '',
    ])
  })

  test.each(cases)('WF-2a: in DOT $text stays inside its quotes', ({ name }) => {
    const dot = toDot(named(name))
    // Taking every quoted text away must leave the skeleton and nothing else.
    const skeleton = dot.replace(/"(?:[^"\\]|\\.)*"/g, 'Q')
    expect(skeleton).toBe(`digraph Q {
  rankdir=LR;
  node [shape=box, style=rounded];
  Q [label=Q, peripheries=2];
  Q [shape=point];
  Q -> Q;
  Q [label=Q, shape=plaintext];
  Q [label=Q, shape=plaintext];
  Q -> Q [label=Q];
  Q -> Q [label=Q];
  Q -> Q [label=Q, style=dotted, color=darkorange];
}
`)
  })
})

test('FC-6: an interrupt of a tool is drawn with the tool and its condition', () => {
  const { edges } = workflow(`
id: w
initial: a
interrupts:
  big: {trigger: {tool: [Edit, Write], when: "files.exists(f, f.added > 200)"}, target: h}
  sql: {trigger: {tool: Edit, file_pattern: "*.sql"}, target: h}
states: {a: {on: {GO: z}}, h: {on: {BACK: $return}}, z: {type: final}}
`)
  expect(edges.filter(({ kind }) => kind === 'interrupt').map(({ label }) => label)).toEqual([
    'big: Edit, Write [files.exists(f, f.added > 200)]',
    'sql: Edit *.sql',
  ])
})
