/** Where an expression stands: what it may read depends on what is known there (FC-6, FC-8). */
export type Scope = 'call' | 'attached' | 'guard' | 'result'

export interface Variable {
  /** Its type in the Common Expression Language. */
  readonly type: string
  readonly scopes: readonly Scope[]
  /** For completion and the reference. */
  readonly says: string
}

const ofCalls: readonly Scope[] = ['call', 'attached', 'result']
const ofRuns: readonly Scope[] = ['call', 'guard', 'result']
const everywhere: readonly Scope[] = ['call', 'attached', 'guard', 'result']

/** Everything that a condition can name. */
export const variables = {
  args: { type: 'map', scopes: ofCalls, says: 'Arguments of the call that is checked.' },
  tool: { type: 'string', scopes: ofCalls, says: 'Name of the tool.' },
  server: { type: 'string', scopes: ofCalls, says: 'The MCP server of the tool, or "".' },
  files: {
    type: 'list',
    scopes: ['call', 'attached'],
    says: 'Files that the call reads or changes: path, added, removed.',
  },
  shell: {
    type: 'map',
    scopes: ['call', 'attached'],
    says: 'What a command does: programs, reads, writes, hosts, variables.',
  },
  facts: { type: 'map', scopes: ofRuns, says: 'Facts learned from results, by name.' },
  marks: { type: 'map', scopes: everywhere, says: 'Marks by name: true once a call has set one.' },
  context: { type: 'map', scopes: ofRuns, says: 'The context of the run.' },
  task: { type: 'string', scopes: ofRuns, says: 'What a person asked for.' },
  state: { type: 'string', scopes: ofRuns, says: 'The current state of the run.' },
  run: {
    type: 'map',
    scopes: ofRuns,
    says: 'Counts of the run: transitions, calls, files, cost_usd, mails.',
  },
  caller: { type: 'map', scopes: everywhere, says: 'Who makes the call: kind, role, branch.' },
  now: { type: 'google.protobuf.Timestamp', scopes: everywhere, says: 'When the call is checked.' },
  result: { type: 'dyn', scopes: ['result'], says: 'The result of the call.' },
  exit: { type: 'string', scopes: ['result'], says: '"success" or "failure".' },
  item: { type: 'dyn', scopes: ['result'], says: 'One entry of the list that `each` names.' },
} as const satisfies Readonly<Record<string, Variable>>
