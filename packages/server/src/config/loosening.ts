import type { Change } from './pinned.ts'

/** From strict to loose; a step to the right takes protection away. */
const orders: Readonly<Record<string, { readonly order: readonly unknown[]; what: string }>> = {
  mode: {
    order: ['enforce', 'observe'],
    what: 'Nothing is denied any more: every call of every agent passes and is only recorded.',
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
  step_up: {
    order: ['always', 'dangerous', 'never'],
    what: 'Fewer decisions ask for the PIN of a person.',
  },
  rewrite_with_allow: {
    order: [false, true],
    what: 'Clients run our commands without asking by themselves.',
  },
  autostart: {
    order: ['session', 'prompt', 'off'],
    what: 'A new session is without a workflow for longer.',
  },
}

/** What a change of the configuration takes away, in a sentence; null where it takes nothing. */
export function loosening({ key, from, to }: Change): string | null {
  const known = Object.hasOwn(orders, key) ? orders[key] : undefined
  if (known !== undefined) {
    return known.order.indexOf(to) > known.order.indexOf(from) ? known.what : null
  }
  if (key === 'workflow' && to === null) return 'New sessions get no workflow: nothing holds them.'
  if (key === 'protected_paths') {
    const gone = missing(from, to)
    return gone.length === 0 ? null : `Agents may change ${gone.join(', ')} without a person.`
  }
  if (key === 'agent_may_load' && from !== null) {
    const added = to === null ? ['any workflow'] : missing(to, from)
    return added.length === 0 ? null : `Agents may load ${added.join(', ')} by themselves.`
  }
  return null
}

/** What the first list has and the second has not. */
function missing(from: unknown, to: unknown): unknown[] {
  if (!Array.isArray(from)) return []
  return from.filter((one) => !Array.isArray(to) || !to.includes(one))
}
