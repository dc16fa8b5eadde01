/** What holds at a level of protection, and what does not, in the words of the guide. */
export interface ProtectionWords {
  readonly name: string
  readonly holds: readonly string[]
  readonly not: readonly string[]
}

const judged = [
  'Every call that reaches us is judged before it runs, and every decision is recorded.',
  'When we do not answer, the client denies.',
  'Our data, our settings and those of the clients are out of reach of guarded calls.',
]

export const protectionWords: Readonly<Record<'L0' | 'L1' | 'L2', ProtectionWords>> = {
  L0: {
    name: 'same user, no sandbox',
    holds: judged,
    not: [
      'A program that an agent may run can do anything that you can: "npm test" may start whatever ' +
        'it likes. It is deterred and detected, not contained.',
      'A client that is started without its hooks is not guarded.',
    ],
  },
  L1: {
    name: 'same user, commands in a sandbox',
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
    name: 'another user or another machine',
    holds: [...judged, 'There is a real boundary between the agents and this server.'],
    not: ['What an agent may do on its own machine is still up to the level there.'],
  },
}
