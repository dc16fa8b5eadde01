/** Every way in, in the order of the printed table. */
export const doorNames = [
  'claude-code',
  'codex',
  'gemini',
  'opencode',
  'copilot',
  'cursor',
  'mcp front',
  'mcp front legacy',
  'mcp tools',
  'mcp tools legacy',
  'session tools',
  'session claude-code',
  'session acp',
  'http check',
  'sdk embedded',
  'sdk remote',
  'guardTools embedded',
  'guardTools remote',
  'mail',
] as const
export type DoorName = (typeof doorNames)[number]

/**
 * What a row must come to, by door. Where a door cannot do what a row is about, the reason stands
 * beside it: what cannot be honoured is a denial, never a call that runs otherwise.
 */
export type Answers = Readonly<
  Record<string, readonly DoorName[] | Readonly<Partial<Record<DoorName, string>>> | 'all others'>
>

const clientsThatRewrite: readonly DoorName[] = ['claude-code', 'gemini', 'opencode', 'copilot']
const fronts: readonly DoorName[] = ['mcp front', 'mcp front legacy']
const mcpDoors: readonly DoorName[] = [...fronts, 'mcp tools', 'mcp tools legacy']
const runUs: readonly DoorName[] = ['mcp tools', 'mcp tools legacy', 'session tools']

/** Doors at which a call waits while a person thinks. */
const waiting: readonly DoorName[] = [
  ...mcpDoors,
  'session tools',
  'session claude-code',
  'session acp',
  'guardTools embedded',
  'guardTools remote',
]

const noShell = {
  'mcp front': 'a tool of another server is no shell of ours',
  'mcp front legacy': 'a tool of another server is no shell of ours',
  mail: 'sends mail and nothing else',
} as const

/** Doors whose caller runs the command itself, in its own process and environment. */
const cannotHold = {
  codex: 'takes another input only with an allow, which waives its own prompt',
  cursor: 'takes another input only with an allow, which waives its own prompt',
  'session acp': 'a permission cannot change the command',
  'http check': 'the caller runs the command itself',
  'sdk embedded': 'the caller runs the command itself',
  'sdk remote': 'the caller runs the command itself',
  'guardTools embedded': 'the tool of the program runs the command itself',
  'guardTools remote': 'the tool of the program runs the command itself',
} as const

const policyDoors = {
  'sdk embedded': 'an embedded run has the policy of its definition alone',
  'guardTools embedded': 'an embedded run has the policy of its definition alone',
} as const

const noFiles = {
  mail: 'changes no file',
} as const

const alwaysEnforce = {
  'sdk embedded': 'an embedded run always enforces',
  'guardTools embedded': 'an embedded run always enforces',
} as const

const noExitCode = {
  codex: 'its results tell no exit code',
  cursor: 'its results tell no exit code',
} as const

/** What switches us off is denied, whatever the state allows. */
const guarded = {
  'denied self_protection': 'all others',
  'no files': noFiles,
} as const

export const table: Readonly<Record<string, Answers>> = {
  'denied tool': { 'denied tool_not_allowed': 'all others' },

  'words of a denial': {
    'same words': 'all others',
    // For programs: every fact under its own name.
    'same facts': [...mcpDoors, 'http check', 'mail'],
    'same words, to people': {
      'session acp': 'the answer to a request for permission has no room for words',
    },
  },

  'shell write in a reading state': {
    'denied shell_write': 'all others',
    'no shell': noShell,
  },

  'unknown command in a reading state': {
    'ran contained': [...clientsThatRewrite, ...runUs, 'session claude-code'],
    'a person is asked': cannotHold,
    'no shell': noShell,
  },

  'look-up over the network without a shell': {
    'denied tool_not_allowed': 'all others',
    'no shell': noShell,
  },

  'script changed before the approval': {
    'asks again': 'all others',
    'no shell': noShell,
  },

  'shell of an unknown name': {
    'denied shell_unreadable': 'all others',
    'no such tools': {
      ...noShell,
      'mcp tools': 'has our tools alone',
      'mcp tools legacy': 'has our tools alone',
      'session tools': 'has our tools alone',
      'session claude-code': 'the real agent refuses a tool that it does not have',
      'session acp': 'the real agent refuses a tool that it does not have',
    },
  },

  'interrupt, by a script that fails': {
    interrupted: 'all others',
    'no shell': noShell,
  },

  'a sweeping command': {
    'denied self_protection': 'all others',
    'no shell': noShell,
  },

  'sandbox: required': {
    'ran in cage': [...clientsThatRewrite, ...runUs, 'session claude-code'],
    'denied sandbox_required': cannotHold,
    'no shell': noShell,
  },

  env_overrides: {
    'ran with env': [...clientsThatRewrite, ...runUs, 'session claude-code'],
    'denied environment_required': cannotHold,
    'no shell': noShell,
  },

  blocked_env: {
    absent: [...clientsThatRewrite, ...runUs, 'session claude-code'],
    'reads denied': cannotHold,
    'no shell': noShell,
  },

  'reading by shell': {
    ran: ['claude-code', 'codex', 'session claude-code'],
    'denied tool_not_allowed': 'all others',
    'no shell': noShell,
  },

  'ask, approved': {
    'waits, then ran': waiting,
    'asks, then ran': 'all others',
  },

  'ask, rejected': {
    'waits, then denied approval_rejected': waiting,
    'asks, then denied approval_rejected': 'all others',
  },

  'what runs later': {
    'waits, then denied approval_rejected': waiting,
    'asks, then denied approval_rejected': 'all others',
    'no files': noFiles,
  },

  interrupt: {
    'told with the result': 'all others',
    'told at the next turn': {
      'session acp': 'nothing can be said beside the result of a call of its own',
    },
    'no files': noFiles,
  },

  rate: { 'denied rate_exceeded': 'all others' },
  budget: { 'denied budget_exceeded': 'all others' },
  'deny write': { 'denied policy_denied': 'all others', ran: noFiles },
  'deny edit': { 'denied policy_denied': 'all others', ran: noFiles },

  'condition not met': { 'denied condition_failed': 'all others' },
  'mark by an earlier call': { 'denied condition_failed': 'all others' },
  'fact by an observed result': {
    ran: 'all others',
    'denied condition_failed': {
      codex: 'its results tell no exit code',
      'http check': 'a result that is only reported teaches nothing',
      'sdk remote': 'a result that is only reported teaches nothing',
      'guardTools remote': 'a result that is only reported teaches nothing',
    },
  },

  'self-protection': guarded,

  'self-protection, our program': guarded,
  'self-protection, settings at any depth': guarded,
  'self-protection, another project': guarded,
  'self-protection after the end': guarded,

  'project policy': {
    'denied policy_denied': 'all others',
    'no projects': policyDoors,
  },

  'result recorded': {
    'once, observed': 'all others',
    'once, reported': ['http check', 'sdk remote', 'guardTools remote'],
  },

  'observe mode': {
    'ran, recorded as allow, would deny tool_not_allowed': 'all others',
    'no such mode': alwaysEnforce,
  },

  'self-protection, observed': {
    'denied self_protection': 'all others',
    'no such mode': alwaysEnforce,
    'no files': { mail: 'changes no file' },
  },

  'changed configuration of a test runner': {
    'a person is asked': 'all others',
    'proves nothing': noExitCode,
    'no shell': noShell,
  },

  'paused by a person': {
    'denied run_paused': 'all others',
    'no pause': {
      'sdk embedded': 'the library has no pause',
      'guardTools embedded': 'the library has no pause',
    },
  },

  'policy after the end': { 'denied policy_denied': 'all others' },
  'closed after the end': { 'denied no_active_run': 'all others' },

  capture_output: { kept: 'all others' },
}

export function cellName(row: string, door: string): string {
  return `${row} @ ${door}`
}

/** Where this machine has no sandbox, nobody runs what needs one. */
const uncontained: Readonly<Record<string, string>> = {
  'ran in cage': 'denied sandbox_required',
  'ran contained': 'a person is asked',
}

export function withoutSandbox(answer: string): string {
  return uncontained[answer] ?? answer
}

/** Where the real agents of `npm run test:clients` differ from the scripted ones. */
export const realAgents: Readonly<Record<string, Expected>> = {
  'reading by shell @ session acp': {
    answer: 'ended, unjudged_call',
    why: 'claude-agent-acp asks nobody before a command that it takes for reading (SE-12b)',
  },
}

export interface Expected {
  readonly answer: string
  /** Why the door cannot do more, where it cannot. */
  readonly why?: string
}

/** What one cell must come to. A door that stands nowhere, or twice, is a fault of the table. */
export function expectedOf(row: string, door: DoorName): Expected {
  const answers = table[row]
  if (answers === undefined) throw new Error(`the table has no row "${row}"`)
  const named = Object.entries(answers).flatMap(([answer, doors]): Expected[] => {
    if (doors === 'all others') return []
    if (isList(doors)) return doors.includes(door) ? [{ answer }] : []
    const why = doors[door]
    return why === undefined ? [] : [{ answer, why }]
  })
  if (named.length > 1) throw new Error(`"${row}" says two things of ${door}`)
  const others = Object.entries(answers).find(([, doors]) => doors === 'all others')
  const found = named[0] ?? (others && { answer: others[0] })
  if (found === undefined) throw new Error(`"${row}" says nothing of ${door}`)
  return found
}

function isList(doors: Answers[string]): doors is readonly DoorName[] {
  return Array.isArray(doors)
}

/** Whether there is anything to play: else the answer only says why not. */
export function isPlayed({ answer }: Expected): boolean {
  return !answer.startsWith('no ')
}
