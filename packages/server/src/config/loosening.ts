import { oidcText } from './oidc-schema.ts'
import { mailText, notifyText, serversText } from './program-text.ts'

/** A setting that is to change. */
export interface SettingChange {
  readonly key: string
  readonly from: unknown
  readonly to: unknown
}

/** From strict to loose; a step to the right takes protection away. */
const orders: Readonly<Record<string, { readonly order: readonly unknown[]; what: string }>> = {
  mode: {
    order: ['enforce', 'observe'],
    what: 'Calls are only recorded, not denied, except those that would touch Statewright itself.',
  },
  strict: {
    order: [true, false],
    what: 'Where no run is active, agents may use their tools again.',
  },
  sandbox: {
    order: ['required', 'auto', null, 'off'],
    what: 'Commands may run without a sandbox.',
  },
  sandbox_network: { order: ['off', 'on'], what: 'Commands in the sandbox reach the network.' },
  read_only_shell: {
    order: ['off', 'auto', 'on'],
    what: 'More shell commands pass where a state allows only reading.',
  },
  rewrite_with_allow: {
    order: [false, true],
    what: 'Clients run the commands of Statewright without their own prompt.',
  },
  autostart: {
    order: ['session', 'prompt', 'off'],
    what: 'A new session works without a workflow for longer.',
  },
}

/** What no order tells: any change of these may take something away, so a person looks at it. */
const unordered: Readonly<Record<string, string>> = {
  shell: 'Commands are checked by what this file says about programs.',
  prices: 'Budgets use other prices for models.',
  max_cost_report_usd:
    'One cost report may be higher, which uses up budgets, or lower, which hides cost.',
  sessions: 'Agent sessions have other limits.',
  gateway: 'The gateway shows or guards tools differently.',
}

/**
 * What a change of the configuration takes away, in a sentence; null where it provably takes
 * nothing. A key that nobody has thought of here loosens.
 */
export function loosening({ key, from, to }: SettingChange): string | null {
  const known = Object.hasOwn(orders, key) ? orders[key] : undefined
  if (known !== undefined) {
    return known.order.indexOf(to) > known.order.indexOf(from) ? known.what : null
  }
  switch (key) {
    case 'durability':
      return null // It says what a power cut takes, not what agents may.
    case 'keep':
      return keepText(from, to)
    case 'definitions':
      return null // What they replace is in the store: `replacedDefinitions` says it.
    case 'workflow':
      return otherWorkflow(from, to)
    case 'protected_paths': {
      const gone = missing(from, to)
      return gone.length === 0 ? null : `Agents may change ${gone.join(', ')} without a person.`
    }
    case 'agent_may_load': {
      if (from === null) return null
      const added = to === null ? ['any workflow'] : missing(to, from)
      return added.length === 0 ? null : `Agents may load ${added.join(', ')} on their own.`
    }
    case 'upstreams':
      return serversText(from, to)
    case 'mail':
      return mailText(to)
    case 'oidc':
      return oidcText(to)
    case 'notify':
      return notifyText(from, to)
    default:
      return Object.hasOwn(unordered, key)
        ? (unordered[key] ?? null)
        : `${key} has a different value.`
  }
}

/** Nothing is lost, but nobody finds it in the dashboard any more. */
function keepText(from: unknown, to: unknown): string | null {
  if (typeof to !== 'string') return null
  const isSooner = typeof from !== 'string' || Number.parseInt(to, 10) < Number.parseInt(from, 10)
  return isSooner ? `Histories leave the store for the archive ${to} after their run ended.` : null
}

function otherWorkflow(from: unknown, to: unknown): string | null {
  if (from === null) return null
  if (to === null) return 'New sessions get no workflow, so nothing guards them.'
  return `New sessions are guarded by ${to} instead of ${from}.`
}

/** What the first list has and the second has not. */
function missing(from: unknown, to: unknown): unknown[] {
  if (!Array.isArray(from)) return []
  return from.filter((one) => !Array.isArray(to) || !to.includes(one))
}
