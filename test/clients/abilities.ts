import type { DrivenClient } from './driven-client.ts'

/** What a client lets its hooks do; what it does not, its tests leave out. */
export interface Abilities {
  /** Whether calls of one message are asked about one after the other. */
  readonly ordersCalls: boolean
  /** Whether a shell that only reads is let through where reading is: it has no other way to. */
  readonly readsByShell: boolean
  /** Whether a hook may give it another command without a setting of ours. */
  readonly changesCommands: boolean
  /** Whether it passes on what a hook said that could not ask us. */
  readonly passesFaultsOn: boolean
  /** Whether the key lies in a file of ours, and not in its settings. */
  readonly hidesKey: boolean
}

export const abilities: Readonly<Record<DrivenClient<unknown>['id'], Abilities>> = {
  'claude-code': {
    ordersCalls: true,
    readsByShell: true,
    changesCommands: true,
    passesFaultsOn: true,
    hidesKey: false,
  },
  codex: {
    ordersCalls: true,
    readsByShell: true,
    changesCommands: false,
    passesFaultsOn: true,
    hidesKey: true,
  },
  copilot: {
    ordersCalls: false,
    readsByShell: false,
    changesCommands: true,
    passesFaultsOn: false,
    hidesKey: true,
  },
  gemini: {
    ordersCalls: false,
    readsByShell: false,
    changesCommands: true,
    passesFaultsOn: true,
    hidesKey: true,
  },
  opencode: {
    ordersCalls: false,
    readsByShell: false,
    changesCommands: true,
    passesFaultsOn: true,
    hidesKey: true,
  },
}
