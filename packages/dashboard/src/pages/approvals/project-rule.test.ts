import { checkPolicyText } from '@statewright/core/internal'
import type { Approval, AttachedPolicy } from '@statewright/core/wire'
import { describe, expect, test } from 'vitest'
import { projectRule } from './project-rule.ts'

const waiting = (input: unknown, more: Partial<Approval> = {}): Approval => ({
  approval_id: 'appr_1',
  run_id: 'run_1',
  kind: 'ask',
  status: 'waiting',
  message: '',
  opened_at: 0,
  tool: 'Bash',
  input,
  rules: [{ path: 'policies.shop.ask.1', message: '' }],
  ...more,
})

const shop = (more: Partial<AttachedPolicy> = {}): AttachedPolicy => ({
  name: 'shop',
  project: '/home/ann/shop',
  version: 3,
  policy: { ask: [{ capability: 'webfetch' }, { capability: 'bash' }], default: 'allow' },
  saved_by: 'ann',
  saved_at: 1,
  created_at: 1,
  ...more,
})

describe('allowing a call in a whole project', () => {
  test('PO-7g: one rule of one policy is changed, and the text of it is shown', () => {
    const rule = projectRule(waiting({ command: 'npm test', description: 'Try' }), [shop()])
    const when =
      '!(args.command == "npm test" && args.all(name, name in ["command","description","timeout"]))'
    expect(rule?.policy).toEqual({
      ask: [{ capability: 'webfetch' }, { capability: 'bash', when }],
      default: 'allow',
    })
    expect(rule?.text).toContain('policy shop, version 4, rule ask.1')
    expect(rule?.text).toContain(JSON.stringify(when))
    const narrowed = shop({
      policy: { ask: [{ capability: 'a' }, { capability: 'bash', when: 'true' }] },
    })
    expect(projectRule(waiting({ command: 'npm test' }), [narrowed])?.policy.ask?.[1]?.when).toBe(
      `(true) && ${when}`,
    )
  })

  test('PO-7g: words of an agent stay words, whatever they hold', () => {
    const command = 'echo "\\" || true) || (\'"'
    const rule = projectRule(waiting({ command }), [shop()])
    expect(rule?.policy.ask?.[1]?.when).toContain(`args.command == ${JSON.stringify(command)} &&`)
    const { definition, findings } = checkPolicyText(JSON.stringify(rule?.policy))
    expect(definition).toBeDefined()
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([])
  })

  test.each<[string, Approval, AttachedPolicy]>([
    ['the policy is one of a role', waiting({ command: 'npm test' }), shop({ project: null })],
    ['the policy was removed', waiting({ command: 'npm test' }), shop({ removed: true })],
    ['the command deletes', waiting({ command: 'rm -rf build' }), shop()],
    ['the command is run by another', waiting({ command: 'sh -c "$X"' }), shop()],
    ['a part of the call was cut off', waiting({ command: 'npm test' }, { input_more: 4 }), shop()],
    ['a value is no plain one', waiting({ edits: [{ a: 1 }] }), shop()],
    ['there are no arguments', waiting({}), shop()],
    ['a name is no name', waiting({ 'a b': 'x' }), shop()],
    [
      'a workflow asks',
      waiting({ command: 'npm test' }, { rules: [{ path: 'policy.ask.0', message: '' }] }),
      shop(),
    ],
    [
      'two rules ask',
      waiting(
        { command: 'npm test' },
        {
          rules: [
            { path: 'policies.shop.ask.1', message: '' },
            { path: 'policy.ask.0', message: '' },
          ],
        },
      ),
      shop(),
    ],
  ])('PO-7g: it is not offered where %s', (_, approval, policy) => {
    expect(projectRule(approval, [policy])).toBe(null)
  })
})
