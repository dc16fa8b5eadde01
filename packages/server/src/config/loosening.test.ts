import { expect, test } from 'vitest'
import { loosening } from './loosening.ts'

test.each([
  ['mode', 'enforce', 'observe', /only recorded, not denied/],
  ['mode', 'observe', 'enforce', null],
  ['strict', true, false, /no run is active/],
  ['strict', false, true, null],
  ['sandbox', 'required', 'off', /without a sandbox/],
  ['sandbox', 'off', null, null],
  ['workflow', 'bugfix', null, /nothing guards them/],
  ['workflow', null, 'bugfix', null],
  ['protected_paths', ['a', 'b'], ['b', 'c'], /^Agents may change a without/],
  ['protected_paths', ['a'], ['a', 'b'], null],
  ['agent_may_load', ['a'], null, /any workflow/],
  ['agent_may_load', ['a'], ['a', 'b'], /^Agents may load b on/],
  ['agent_may_load', null, ['a'], null],
  ['durability', 'power', 'crash', null],
  ['workflow', 'bugfix', 'free', /by free instead of bugfix/],
  ['upstreams', { a: { command: 'a' } }, {}, null],
  ['upstreams', { a: { command: 'a' } }, { a: { command: 'b' } }, /^The server starts a: `b`\.$/],
  ['upstreams', {}, { a: { type: 'http', url: 'https://a.test' } }, /calls https:\/\/a\.test as a/],
  ['upstreams', {}, { a: { command: 'x', env: { API_KEY: 'k', A: '1' } } }, /API_KEY=… A=1 x`\.$/],
  [
    'upstreams',
    {},
    { a: { type: 'http', url: 'x', headers: { authorization: `Bearer \${AWS_SECRET}` } } },
    /calls x with authorization: Bearer \$\{AWS_SECRET\} as a/,
  ],
  [
    'upstreams',
    { a: { command: 'a' } },
    { a: { command: 'a', sampling: 'allow', elicitation: 'allow' } },
    /^a may ask the model of the client \(sampling\)\. a may ask the person .*\(elicitation\)\.$/,
  ],
  [
    'upstreams',
    { a: { command: 'a', sampling: 'allow' } },
    { a: { command: 'a', sampling: 'refuse' } },
    null,
  ],
  ['upstreams', {}, { a: { command: 'a', sampling: 'allow' } }, /^The server starts a: .* may ask/],
  [
    'mail',
    null,
    { resend: { key_env: 'AWS_SECRET', url: 'https://x' } },
    /https:\/\/x.*AWS_SECRET/,
  ],
  ['notify', {}, { webhook: { url: 'https://x', secret_env: 'S' } }, /is sent to https:\/\/x\.$/],
  ['notify', {}, { command: ['say', 'a b'] }, /each approval: `say "a b"`\.$/],
  ['max_cost_report_usd', 10, 1, /lower, which hides cost/],
  ['a key that nobody has thought of', 1, 2, /has a different value/],
  ['constructor', 1, 2, /has a different value/],
])('%s from %j to %j', (key, from, to, output) => {
  const reported = loosening({ key, from, to })
  if (output === null) expect(reported).toBe(null)
  else expect(reported).toMatch(output)
})
