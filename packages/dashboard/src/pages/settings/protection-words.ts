export interface ProtectionWords {
  readonly holds: readonly string[]
  readonly not: readonly string[]
}

const judgedByText = [
  'Every call that reaches the server is checked before it runs, and recorded.',
  'When the server does not answer, the client denies the call.',
]
const judged = [
  ...judgedByText,
  'Guarded calls cannot reach the data and settings of Statewright or its clients.',
]

/** What holds at a level of protection, and what does not, in the words of the guide. */
export function protectionWords(
  level: 'L0' | 'L1' | 'L2',
  mode: 'enforce' | 'observe',
): ProtectionWords {
  const words = levels[level]
  if (mode === 'enforce') return words
  // Whatever a level promises rests on denials, and there is but one left.
  return {
    holds: [
      'Every call that reaches the server is checked, and what would be denied is recorded.',
      'Only calls that would touch the data or settings of Statewright are denied.',
    ],
    not: ['Nothing else is denied: every other call passes.'],
  }
}

const levels: Readonly<Record<'L0' | 'L1' | 'L2', ProtectionWords>> = {
  L0: {
    holds: [
      ...judgedByText,
      'Calls that name the data or settings of Statewright or its clients are denied.',
    ],
    not: [
      'What a command computes, reads from a file or unpacks while it runs is not visible in its ' +
        'text: a state with an unrestricted shell can do whatever you can.',
      'Programs that the agent runs have your permissions: "npm test" can start anything. ' +
        'Misuse is detected, but only a sandbox prevents it.',
      'A client that is started without its hooks is not guarded.',
    ],
  },
  L1: {
    holds: [
      ...judged,
      'A guarded command cannot read the data of Statewright, reach its processes, see blocked ' +
        'variables, write where its state does not allow, or outlive its call.',
    ],
    not: [
      'Other tools of the client than the shell still run with your permissions.',
      'A client that is started without its hooks is not guarded.',
    ],
  },
  L2: {
    holds: [...judged, 'There is a real boundary between the agents and this server.'],
    not: ['What an agent may do on its own machine is still up to the level there.'],
  },
}
