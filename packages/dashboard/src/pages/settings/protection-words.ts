export interface ProtectionWords {
  readonly holds: readonly string[]
  readonly not: readonly string[]
}

const judgedByText = [
  'Every call that reaches us is judged before it runs, and every decision is recorded.',
  'When we do not answer, the client denies.',
]
const judged = [
  ...judgedByText,
  'Our data, our settings and those of the clients are out of reach of guarded calls.',
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
      'Every call that reaches us is judged, and what would be denied is recorded.',
      'Only a call that reaches for our own data or settings is denied.',
    ],
    not: ['Nothing else is denied: every other call passes.'],
  }
}

const levels: Readonly<Record<'L0' | 'L1' | 'L2', ProtectionWords>> = {
  L0: {
    holds: [
      ...judgedByText,
      'A call that names our data, our settings or those of the clients is denied.',
    ],
    not: [
      'What a command puts together when it runs, reads out of a file or unpacks is not seen in ' +
        'its text: a state with an unrestricted shell can do whatever you can.',
      'A program that an agent may run can do anything that you can: "npm test" may start ' +
        'whatever it likes. It is deterred and detected, not contained.',
      'A client that is started without its hooks is not guarded.',
    ],
  },
  L1: {
    holds: [
      ...judged,
      'A guarded command cannot read our data, reach our processes, see blocked variables, write ' +
        'where its state does not allow, or outlive its call.',
    ],
    not: [
      'Tools of the client that are no shell still run as you.',
      'A client that is started without its hooks is not guarded.',
    ],
  },
  L2: {
    holds: [...judged, 'There is a real boundary between the agents and this server.'],
    not: ['What an agent may do on its own machine is still up to the level there.'],
  },
}
