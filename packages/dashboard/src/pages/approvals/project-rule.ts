import { checkPolicyText, type Policy } from '@statewright/core/internal'
import { analyzeCommand } from '@statewright/core/shell'
import type { Approval, AttachedPolicy } from '@statewright/core/wire'

/** The policy of a project, changed so that it asks about one call no more (PO-7g). */
export interface ProjectRule {
  readonly name: string
  readonly project: string
  readonly policy: Policy
  /** What a person reads before it is saved: the changed rule, as it will stand in the policy. */
  readonly text: string
}

/** What a call may say beside what it does. */
const words: ReadonlySet<string> = new Set(['description', 'timeout'])

/**
 * Nothing is offered where the rule belongs to no project, where another rule would ask all the
 * same, where a part of the call is not known, or where a command changes something lasting or who
 * decides, or does what its words do not say.
 */
export function projectRule(
  approval: Approval,
  policies: readonly AttachedPolicy[],
): ProjectRule | null {
  const { rules = [], input, input_more: more = 0 } = approval
  const [, name, index] = /^policies\.(.+)\.ask\.(\d+)$/.exec(rules[0]?.path ?? '') ?? []
  if (rules.length !== 1 || more > 0 || index === undefined) return null
  const attached = policies.find((one) => one.name === name && one.removed !== true)
  const rule = attached?.policy.ask?.[Number(index)]
  const same = sameCall(input)
  if (attached === undefined || rule === undefined || same === null) return null
  const { project, version } = attached
  if (project === null) return null
  const when = rule.when === undefined ? `!(${same})` : `(${rule.when}) && !(${same})`
  const changed = { ...rule, when }
  const ask = attached.policy.ask?.map((one) => (one === rule ? changed : one))
  const policy = { ...attached.policy, ...(ask === undefined ? {} : { ask }) }
  const { definition } = checkPolicyText(JSON.stringify(policy))
  if (definition === undefined) return null
  const head = `policy ${attached.name}, version ${version + 1}, rule ask.${index}:`
  const where = `where: every run of every agent in ${project}, in each state`
  const text = `${head}\n${JSON.stringify(changed, null, 2)}\n${where}`
  return { name: attached.name, project, policy, text: `${text}\nuntil: the policy is changed` }
}

/** A condition that holds for the very same arguments alone; null where that cannot be said. */
function sameCall(input: unknown): string | null {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return null
  const fields = Object.entries(input).filter(([name]) => !words.has(name))
  if (fields.length === 0 || fields.some(([name]) => !/^[a-z_]\w*$/i.test(name))) return null
  const isPlain = (value: unknown) => typeof value === 'string' || typeof value === 'boolean'
  if (!fields.every(([, value]) => isPlain(value))) return null
  const command = fields.find(([name]) => name === 'command')?.[1]
  if (typeof command === 'string' && !isKnown(command)) return null
  const names = [...fields.map(([name]) => name), ...words]
  const equal = fields.map(([name, value]) => `args.${name} == ${JSON.stringify(value)}`)
  return [...equal, `args.all(name, name in ${JSON.stringify(names)})`].join(' && ')
}

/** Whether its words say what it does: with a variable in it, the same text may do more. */
function isKnown(command: string): boolean {
  const { writes, guard, takeovers, unknowns } = analyzeCommand(command)
  return writes.length + guard.length + takeovers.length + unknowns.length === 0
}
