/**
 * What holds at which level: the truth behind the table of docs/guide/security.md. Each cell is
 * tried: by a probe of `probes/` at each level, or by tests that are named here because the
 * level makes no difference to them.
 */
export const levels = ['L0', 'L1', 'L2'] as const
export type Level = (typeof levels)[number]

export type Answer = 'holds' | 'does not hold' | 'asks a person'

export interface NamedTest {
  readonly file: string
  readonly title: string
}

export interface Row {
  readonly threat: string
  /** One for all levels, or each its own. */
  readonly answer: Answer | Readonly<Record<Level, Answer>>
  /** A word of explanation, in which column. */
  readonly notes?: Readonly<Partial<Record<Level, string>>>
  /** Its name in `probes`, or the tests that try it. */
  readonly proof: string | readonly NamedTest[]
}

const cagedOnly = { L0: 'does not hold', L1: 'holds', L2: 'does not hold' } as const
const apart = { L0: 'does not hold', L1: 'holds', L2: 'holds' } as const

const test = (file: string, title: string): NamedTest => ({ file, title })

/** What an agent asks for, and we hear of. */
const calls: readonly Row[] = [
  {
    threat: 'does what its state does not allow',
    answer: 'holds',
    proof: 'forbiddenCall',
  },
  {
    threat: "changes Statewright's program or configuration, or a client's settings",
    answer: 'holds',
    notes: { L0: 'i' },
    proof: 'changeGuard',
  },
  {
    threat: 'changes what runs later: git hooks, CI, package managers, editor tasks',
    answer: 'asks a person',
    proof: 'changeLater',
  },
  {
    threat: "reads Statewright's keys or data",
    answer: 'holds',
    notes: { L0: 'i' },
    proof: 'readKeysByCall',
  },
  {
    threat: "reads Statewright's data by a path that its command takes from a file",
    answer: apart,
    proof: 'readDataByName',
  },
  {
    threat: 'kills the server or connects to its port',
    answer: 'holds',
    notes: { L0: 'i' },
    proof: 'reachServerByCall',
  },
  {
    threat: 'is made while the server does not answer',
    answer: 'holds',
    proof: 'noServer',
  },
  {
    threat: "is answered by a fake server on Statewright's port",
    answer: 'holds',
    proof: [
      test('test/attacks/impostor.test.ts', 'cannot say yes to %s, and learns no secret'),
      test('test/attacks/impostor.test.ts', 'cannot turn a denial into a yes'),
    ],
  },
  {
    threat: 'goes to an MCP tool whose description has changed',
    answer: 'asks a person',
    proof: [
      test(
        'test/programs.test.ts',
        'SH-18c: a tool that describes itself anew is hidden and denied until accepted (%s)',
      ),
    ],
  },
  {
    threat: 'goes to an MCP server that asks your model, or you, without permission',
    answer: 'holds',
    proof: [
      test(
        'packages/server/src/mcp/front/front-questions.test.ts',
        '%s reaches nobody unless allowed (%s)',
      ),
    ],
  },
  {
    threat: 'never reaches Statewright: a client without its hooks',
    answer: 'does not hold',
    notes: { L0: 'a', L1: 'a', L2: 'a' },
    proof: 'withoutHooks',
  },
]

/** What a program does that an allowed command starts. */
const programs: readonly Row[] = [
  { threat: "reads Statewright's database", answer: apart, proof: 'readData' },
  { threat: "changes Statewright's database", answer: apart, proof: 'changeData' },
  { threat: "reads the key of the client's hook", answer: cagedOnly, proof: 'readHookKey' },
  {
    threat: "reads other keys in the agent's home folder, such as `~/.ssh`",
    answer: 'does not hold',
    notes: { L1: 'b' },
    proof: 'readOtherKeys',
  },
  {
    threat: 'reads a variable of `blocked_env` from its parent processes',
    answer: cagedOnly,
    proof: 'readBlockedVariable',
  },
  {
    threat: "changes a client's settings or what git runs later",
    answer: cagedOnly,
    notes: { L1: 'c' },
    proof: 'changeSettings',
  },
  {
    threat: 'changes what git runs later in a repository below the workspace',
    answer: cagedOnly,
    notes: { L1: 'c' },
    proof: 'changeInnerGit',
  },
  {
    threat: "creates a client's settings, or a repository with hooks, for a moment",
    answer: 'does not hold',
    notes: { L1: 'h' },
    proof: [
      test('test/sandbox/while-it-runs.test.ts', 'the command ends that makes %s'),
      test('test/sandbox/while-it-runs.test.ts', 'what comes and goes is told all the same'),
    ],
  },
  {
    threat: 'changes a script or a test that somebody runs later',
    answer: 'does not hold',
    proof: 'changeScript',
  },
  { threat: 'writes outside the workspace', answer: cagedOnly, proof: 'writeOutside' },
  { threat: 'kills the server', answer: apart, proof: 'killServer' },
  { threat: "reads the server's memory or environment", answer: apart, proof: 'readServer' },
  { threat: 'keeps running after its call has ended', answer: cagedOnly, proof: 'outlive' },
  {
    threat: "connects to Statewright's port",
    answer: 'does not hold',
    notes: { L1: 'd' },
    proof: 'connectToPort',
  },
  { threat: 'does anything there without a key', answer: 'holds', proof: 'askWithoutKey' },
  {
    threat: 'reaches the network with `sandbox_network: off`',
    answer: cagedOnly,
    proof: 'reachNetwork',
  },
  {
    threat: 'connects to a socket of the host in `/run` or `/tmp` (docker, D-Bus)',
    answer: cagedOnly,
    proof: 'connectToScratchSocket',
  },
  {
    threat: 'connects to any socket of the host with `sandbox_network: off`',
    answer: cagedOnly,
    notes: { L1: 'g' },
    proof: 'connectOffline',
  },
  {
    threat: 'connects to a socket of the host in another folder',
    answer: 'does not hold',
    notes: { L1: 'e' },
    proof: 'connectToOtherSocket',
  },
]

/** What makes a person, evidence or a rule. */
const words: readonly Row[] = [
  { threat: 'approves with what is stored on the disk', answer: 'holds', proof: 'approveFromDisk' },
  {
    threat: 'guesses the PIN',
    answer: 'holds',
    proof: [
      test(
        'packages/server/src/http/auth/proof.test.ts',
        'PE-5: wrong ones make their login wait, longer each time, and nobody else',
      ),
    ],
  },
  {
    threat: "reports a test that never ran, with the agent's own token",
    answer: 'holds',
    proof: [
      test('test/sandbox/evidence-attacks.test.ts', 'what the agent itself posts proves nothing'),
    ],
  },
  {
    threat: "reports a test that never ran, with the key of the client's hook",
    answer: cagedOnly,
    notes: { L0: 'f', L2: 'f' },
    proof: 'forgeResult',
  },
  {
    threat: 'the same, if the command runs through Statewright',
    answer: 'holds',
    proof: 'forgeHeldResult',
  },
  {
    threat: "reads or moves another agent's run with its own token",
    answer: 'holds',
    proof: [
      test('test/attacks/foreign-agent.test.ts', 'PO-8: finds none of it at any route'),
      test('test/attacks/foreign-agent.test.ts', 'PO-8: finds none of it by naming it in a body'),
    ],
  },
  {
    threat: 'weakens the configuration for the next start',
    answer: 'asks a person',
    proof: [
      test(
        'packages/server/src/config/pinned.test.ts',
        'SH-18a: is never a looser one unasked, though no run is live',
      ),
    ],
  },
  {
    threat: 'starts a program that the configuration of a project names',
    answer: 'asks a person',
    proof: [
      test(
        'test/programs.test.ts',
        'SH-18b: a program of a cloned project starts only after a person accepted it',
      ),
    ],
  },
]

export const sections: Readonly<Record<string, readonly Row[]>> = {
  'A call that Statewright checks': calls,
  'A program that an allowed command starts (`npm test`)': programs,
  'Approvals, evidence and configuration': words,
}

export const rows: readonly Row[] = Object.values(sections).flat()

export function answerAt({ answer }: Row, level: Level): Answer {
  return typeof answer === 'string' ? answer : answer[level]
}
