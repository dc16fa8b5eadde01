/** What the levels of protection are, in a few words for every page. */
export const levelNames = {
  L0: 'same user, no sandbox',
  L1: 'same user, commands in a sandbox',
  L2: 'another user or machine',
} as const
