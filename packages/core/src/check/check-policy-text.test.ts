import { describe, expect, test } from 'vitest'
import { checkPolicyText } from './check-policy-text.ts'

describe('PO-2: a policy that stands on its own', () => {
  test('PO-2: a sound one is handed on', () => {
    const text = '{"role":"agent","deny":[{"capability":"bash"}]}'
    expect(checkPolicyText(text)).toEqual({ definition: JSON.parse(text), findings: [] })
  })

  const bad: readonly [string, object][] = [
    ['{"denny":[]}', { code: 'unknown_field', path: ['denny'] }],
    ['{"deny":[{"capability":"a*b"}]}', { code: 'invalid_capability' }],
    ['{"deny":[{"capability":"a*b"}]}', { path: ['deny', 0, 'capability'] }],
    ['{"allow":[{"capability":"bash","rate_limit":{"max_calls":0,"window_seconds":1}}]}', {}],
    ['[]', { code: 'wrong_type', path: [] }],
    ['{', {}],
  ]
  test.each(bad)('PO-2: %s is refused with its place', (text, finding) => {
    const { definition, findings } = checkPolicyText(text)
    expect(definition).toBeUndefined()
    expect(findings[0]).toMatchObject({ severity: 'error', ...finding })
  })

  test('PO-2: a rule that is never reached is only a warning', () => {
    const { definition, findings } = checkPolicyText(
      '{"deny":[{"capability":"mcp:*"}],"allow":[{"capability":"mcp:fs:read"}]}',
    )
    expect(definition).toBeDefined()
    expect(findings.map(({ code, severity }) => [code, severity])).toEqual([
      ['rule_never_reached', 'warning'],
    ])
  })
})
