import type { House } from './arrows.ts'
import { entrances, wideRooms } from './entrances.ts'
import { outside } from './libraries.ts'
import type { FrontDoors } from './unused.ts'

/**
 * The arrows of the house, as ARCHITECTURE.md draws them. A row lists the rooms that its room may
 * import; the rows stand in an order in which each needs only those above it.
 */
const coreArrows: Readonly<Record<string, readonly string[]>> = {
  base: [],
  shell: ['base'],
  call: ['base', 'shell'],
  condition: ['base', 'call', 'shell'],
  policy: ['base', 'call', 'condition'],
  definition: ['base', 'shell', 'call', 'condition', 'policy'],
  process: ['base', 'call', 'policy', 'definition'],
  machine: ['base', 'shell', 'call', 'condition', 'policy', 'definition', 'process'],
  graph: ['base', 'definition', 'process'],
  run: ['base', 'shell', 'call', 'condition', 'policy', 'definition', 'process', 'machine'],
  check: ['base', 'shell', 'call', 'condition', 'policy', 'definition', 'process', 'run'],
  decide: [
    'base',
    'shell',
    'call',
    'condition',
    'policy',
    'definition',
    'process',
    'machine',
    'run',
  ],
  reduce: [
    'base',
    'shell',
    'call',
    'condition',
    'policy',
    'definition',
    'machine',
    'run',
    'decide',
  ],
  history: ['base', 'call', 'machine', 'run', 'reduce'],
  // What changed rules would have done to runs and transcripts.
  replay: [
    'base',
    'shell',
    'call',
    'condition',
    'policy',
    'definition',
    'machine',
    'run',
    'decide',
    'reduce',
    'history',
  ],
  // What can never happen in any run of a definition.
  prove: [
    'base',
    'call',
    'definition',
    'condition',
    'machine',
    'run',
    'decide',
    'reduce',
    'history',
  ],
  view: ['base', 'policy', 'machine', 'run', 'decide', 'reduce'],
  // The machine of agent sessions stands beside runs: it knows nothing of workflows.
  agent: ['base', 'shell', 'call'],
  // What '@statewright/core' gives to other programs: few verbs over the rooms above.
  library: [
    'base',
    'call',
    'check',
    'decide',
    'definition',
    'graph',
    'history',
    'machine',
    'policy',
    'reduce',
    'run',
    'view',
  ],
  // What crosses the wire: shapes of what the other rooms tell.
  wire: ['base', 'definition', 'process', 'policy', 'run', 'view', 'agent'],
}

const serverArrows: Readonly<Record<string, readonly string[]>> = {
  clients: [],
  store: [],
  templates: [],
  docs: [],
  sandbox: [],
  base: ['store'],
  // The settings files of coding clients, and what we write into them.
  'client-settings': ['clients'],
  // What coding clients write down of their sessions, read and never changed.
  transcripts: ['clients', 'base'],
  // The environment of every child is settled in one place.
  upstream: ['sandbox', 'base'],
  evidence: ['base'],
  prices: ['base'],
  runtime: ['store', 'base', 'evidence', 'prices'],
  'runtime/rules': ['store', 'base', 'runtime'],
  'runtime/blocks': ['store', 'base', 'runtime'],
  'runtime/runs': [
    'store',
    'base',
    'evidence',
    'prices',
    'runtime',
    'runtime/rules',
    'runtime/blocks',
  ],
  notebook: ['store', 'base', 'runtime'],
  // What lies in folders of this machine: data, running servers, copies of our hook program.
  home: [],
  config: ['home', 'store', 'base', 'upstream', 'prices', 'runtime'],
  guard: ['store', 'sandbox', 'base', 'evidence', 'runtime'],
  mail: ['base', 'guard'],
  notify: ['store', 'base'],
  hooks: ['clients', 'base', 'prices', 'runtime', 'guard'],
  tools: ['sandbox', 'base'],
  // An MCP call is joined with what a client hook said of it.
  mcp: [
    'docs',
    'clients',
    'hooks',
    'tools',
    'store',
    'upstream',
    'base',
    'runtime',
    'notebook',
    'guard',
  ],
  orchestrator: [
    'clients',
    'client-settings',
    'tools',
    'store',
    'sandbox',
    'upstream',
    'base',
    'prices',
    'runtime',
    'guard',
  ],
  // A program lets the server prove itself before it sends its token, as commands do.
  sdk: ['clients', 'home', 'store', 'base', 'runtime', 'config', 'guard'],
  demo: ['base', 'runtime', 'guard', 'sdk'],
  observe: ['store', 'base', 'runtime', 'guard', 'orchestrator'],
  reports: ['store', 'base', 'runtime', 'hooks'],
  // What has left the store.
  archive: ['store', 'base', 'runtime'],
  // Rules tried on past runs, in a thread of its own.
  replays: ['store', 'base', 'runtime'],
  http: [
    'clients',
    'store',
    'templates',
    'docs',
    'sandbox',
    'upstream',
    'base',
    'runtime',
    'config',
    'notebook',
    'guard',
    'mail',
    'hooks',
    'mcp',
    'orchestrator',
    'observe',
    'reports',
    'replays',
    'archive',
    'demo',
  ],
  // The composition root: it puts the rooms below together, and nobody else does.
  app: [
    'home',
    'store',
    'sandbox',
    'upstream',
    'base',
    'runtime',
    'config',
    'guard',
    'mail',
    'notify',
    'hooks',
    'mcp',
    'orchestrator',
    'observe',
    'reports',
    'archive',
    'http',
    'replays',
  ],
  cli: [
    'archive',
    'clients',
    'client-settings',
    'home',
    'replays',
    'transcripts',
    'base',
    'templates',
    'evidence',
    'config',
    'mcp',
    'reports',
    'sdk',
    'demo',
    'app',
  ],
}

const dashboardArrows: Readonly<Record<string, readonly string[]>> = {
  // Pure: what is computed from what the server said. Pages and parts only draw it.
  'model/words': [],
  'model/diagram': [],
  'model/runs': [],
  'model/simulator': [],
  'model/history': ['model/words'],
  'model/sessions': ['model/words'],
  'model/text': ['model/diagram'],
  'model/definitions': ['model/words'],
  'model/suggest': ['model/text', 'model/history'],
  'model/app': ['model/history'],
  // The client, what is asked for, the one feed of all tabs, and what proves a person.
  'api/client': [],
  'api/resources': ['model', 'api/client'],
  'api/feed': ['model', 'api/client', 'api/resources'],
  'api/proof': ['api/client'],
  // What pages are made of.
  'ui/theme': [],
  'ui/values': ['model/words'],
  'ui/charts': ['model/words'],
  'ui/page': ['api/client', 'api/feed'],
  'ui/dialogs': ['api/client', 'ui/page'],
  'ui/proof': ['api/client', 'api/proof', 'ui/page', 'ui/dialogs'],
  'ui/demo': ['api/client', 'ui/page'],
  pages: ['model', 'api', 'ui'],
  app: ['model', 'api', 'ui', 'pages'],
  main: ['no-eval', 'ui', 'app'],
}

export const house: House = {
  packages: {
    '@statewright/core': 'core',
    statewright: 'server',
    '@statewright/dashboard': 'dashboard',
  },
  arrows: {
    ...rooms('core', coreArrows),
    // The front doors of core show what lies in any of its rooms.
    'core/index': Object.keys(coreArrows).map((room) => `core/${room}`),
    'core/internal': Object.keys(coreArrows).map((room) => `core/${room}`),
    ...rooms('server', serverArrows),
    ...rooms('dashboard', dashboardArrows),
  },
  fronts: ['core/index', 'core/internal', 'dashboard/main'],
  entrances,
  divided: ['dashboard/api', 'dashboard/model', 'dashboard/ui', 'server/runtime'],
  wide: wideRooms,
  // What judges or finishes a call is called by the guarded call alone (invariant 10).
  reserved: {
    decideToolCall: 'server/guard',
    askPolicies: 'server/guard',
    evaluatePolicy: 'server/guard',
    dispatchCall: 'server/guard',
  },
  outside,
}

/** What others may use, so that nothing else needs to be exported. */
export const frontDoors: FrontDoors = {
  files: {
    '@statewright/core': 'packages/core/src/index.ts',
    '@statewright/core/shell': 'packages/core/src/shell/index.ts',
    '@statewright/core/internal': 'packages/core/src/internal.ts',
    '@statewright/core/wire': 'packages/core/src/wire/index.ts',
  },
  open: [
    'packages/core/src/index.ts',
    'packages/core/src/shell/index.ts',
    'packages/core/src/wire/index.ts',
    'packages/server/src/sdk/sdk.ts',
  ],
  names: {
    AgentToolCall: 'a type to others, for which its schema stands',
  },
}

function rooms(
  home: string,
  table: Readonly<Record<string, readonly string[]>>,
): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(table).map(([room, others]) => [
      `${home}/${room}`,
      others.flatMap((other) => roomsOf(other, room, table)).map((other) => `${home}/${other}`),
    ]),
  )
}

/** A divided room stands for all of its rooms, but not to one of these. */
function roomsOf(
  room: string,
  from: string,
  table: Readonly<Record<string, readonly string[]>>,
): readonly string[] {
  const inside = Object.keys(table).filter((one) => one.startsWith(`${room}/`))
  if (inside.length === 0 || from.startsWith(`${room}/`)) return [room]
  return Object.hasOwn(table, room) ? [room, ...inside] : inside
}
