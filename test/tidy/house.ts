import type { House } from './arrows.ts'

/**
 * The arrows of the house, as ARCHITECTURE.md draws them. A row lists the rooms that its room may
 * import; the rows stand in an order in which each needs only those above it.
 */
const coreArrows: Readonly<Record<string, readonly string[]>> = {
  base: [],
  call: ['base'],
  shell: ['base'],
  policy: ['base', 'call'],
  definition: ['base', 'call', 'shell', 'policy'],
  process: ['base', 'policy', 'definition'],
  check: ['base', 'call', 'shell', 'policy', 'definition', 'process'],
  machine: ['base', 'call', 'shell', 'policy', 'definition', 'process'],
  graph: ['base', 'definition', 'process', 'machine'],
  run: ['base', 'call', 'shell', 'policy', 'definition', 'machine'],
  decide: ['base', 'call', 'shell', 'policy', 'machine', 'run'],
  reduce: ['base', 'call', 'shell', 'policy', 'machine', 'run', 'decide'],
  history: ['base', 'machine', 'run', 'reduce'],
  view: ['base', 'policy', 'definition', 'process', 'machine', 'run', 'decide', 'reduce'],
}

const serverArrows: Readonly<Record<string, readonly string[]>> = {
  clients: [],
  store: [],
  runtime: ['store'],
  gateway: ['clients', 'store', 'runtime'],
  orchestrator: ['store', 'runtime'],
  http: ['clients', 'store', 'runtime', 'gateway', 'orchestrator'],
  cli: ['clients', 'store', 'runtime', 'gateway', 'orchestrator', 'http'],
}

export const house: House = {
  packages: {
    '@statewright/core': 'core',
    statewright: 'server',
    '@statewright/dashboard': 'dashboard',
  },
  arrows: {
    ...rooms('core', coreArrows),
    // The front door of core shows what lies in any of its rooms.
    'core/index': Object.keys(coreArrows).map((room) => `core/${room}`),
    ...rooms('server', serverArrows),
  },
  // A library that speaks for one room is named for that room alone, so that its words stay there.
  outside: {
    core: ['zod'],
    'core/definition': ['@noble/hashes', 'jsonc-parser', 'yaml'],
    'core/shell': ['unbash'],
    server: ['@statewright/core', 'node:'],
    'server/http': ['hono', '@hono/node-server'],
    'server/cli': ['commander'],
    dashboard: ['@statewright/core'],
  },
}

function rooms(
  home: string,
  table: Readonly<Record<string, readonly string[]>>,
): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(table).map(([room, others]) => [
      `${home}/${room}`,
      others.map((other) => `${home}/${other}`),
    ]),
  )
}
