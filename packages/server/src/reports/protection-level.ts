import type { SeenClient } from '../hooks/client-registry.ts'
import type { RuntimeSettings } from '../runtime/settings.ts'

/** How much holds, in the words of docs/spec/quality.md. */
export interface Protection {
  readonly level: 'L0' | 'L1' | 'L2'
  readonly sentence: string
}

export function protectionOf(
  settings: Pick<RuntimeSettings, 'sandbox' | 'missingSandbox' | 'strict'>,
  clients: readonly SeenClient[],
): Protection {
  if (clients.length > 0 && clients.every(({ isApart }) => isApart === true)) {
    return { level: 'L2', sentence: sentences.L2 }
  }
  const { missingSandbox } = settings
  if (missingSandbox !== null) return { level: 'L0', sentence: `${checked} ${missingSandbox}` }
  // Outside strict mode a sandbox is used only where state, workflow or configuration ask for one.
  const isUsed = settings.sandbox === null ? settings.strict : settings.sandbox !== 'off'
  if (isUsed) return { level: 'L1', sentence: sentences.L1 }
  const hint =
    settings.sandbox === 'off'
      ? 'A sandbox is available but off. Set "sandbox: auto" in statewright.yaml.'
      : 'The commands of sessions run in a sandbox; those of coding clients only where a ' +
        'state requires it. Set "sandbox: auto" in statewright.yaml for all.'
  return { level: 'L0', sentence: `${sentences.L0} ${hint}` }
}

const checked = 'Every call is checked before it runs.'

const sentences = {
  L0: `${checked} Programs that commands start are not contained.`,
  L1:
    'Every call is checked before it runs, and guarded shell calls run in a sandbox: what they ' +
    'start cannot read the data of Statewright, reach its processes or outlive the call.',
  L2: 'The server runs as another user or on another machine than the agents: a real boundary.',
}
