/** Every bound of the core in one place. Each is tested at its edge. */
export const limits = {
  /** Text of one definition. A larger file is refused before it is parsed. */
  definitionBytes: 1024 * 1024,
  definitionDepth: 64,
  states: 10_000,
  /** How often YAML aliases may be followed: a small file must not unfold into a large one. */
  yamlAliases: 1000,
  /** Words and marks of one YAML text: its parser would take seconds for a megabyte of marks. */
  yamlTokens: 300_000,
  /** Values of one definition, after YAML aliases were followed. */
  definitionValues: 500_000,
  /** Findings reported for one definition; the rest are counted. */
  findings: 100,
  nameLength: 200,
  /** Rules in one list of a policy. */
  policyRules: 1000,
  /** Text of one condition. */
  conditionLength: 4000,
  textLength: 20_000,
  invokeDepth: 8,
  /** Definitions reached from one workflow by invoke. */
  closure: 200,
  eventDataBytes: 64 * 1024,
  contextBytes: 256 * 1024,
  jsonDepth: 32,
  /** Calls let through whose result has not come yet, per run. */
  openCalls: 256,
  /** Finished calls remembered, so that a repeated id gets the same answer. */
  rememberedCalls: 64,
  /** Edits whose end is awaited before evidence counts as stale for good. */
  editsUnderWay: 20,
  /** How long a call that makes a fact wrong is awaited, should its end never be told. */
  forgetOpenMs: 10 * 60_000,
  /** Keys of one fact; more are not learnt. */
  factKeys: 256,
  /** One value of a fact, as JSON. */
  factBytes: 4096,
  /** All facts of a run. */
  factBytesPerRun: 64 * 1024,
  /** Arguments that conditions read, on one event. */
  argumentBytes: 8192,
  /** A result that facts are read from; a larger one teaches nothing. */
  resultBytes: 256 * 1024,
  /** What people asked for; the newest counts. */
  taskBytes: 32 * 1024,
  openApprovals: 20,
  rememberedAsks: 100,
  /** What a person sees of the arguments of a call, as JSON text: any command that is judged. */
  approvalInputLength: 256 * 1024,
  /** How long an approved call may still be made. */
  approvalUseMs: 5 * 60_000,
  filesPerState: 10_000,
  briefLength: 8000,
  /** Instructions of a state, or the first prompt of a process, in a brief. */
  instructionLength: 5000,
  messageLength: 2000,
  /** Files that one patch may touch. */
  patchFiles: 1000,
  /** Steps of a line diff before the stricter bound counts instead. */
  diffSteps: 2_000_000,
  globLength: 500,
  /** Patterns that the braces of one glob may unfold into. */
  globAlternatives: 64,
  /** Open reservations of one budget; one more is denied. */
  reservations: 1000,
  /** Capabilities of one budget whose last cost is remembered. */
  knownCosts: 64,
  /** Tool runs, and hook runs, that the state of a session remembers beside its batch. */
  rememberedAgentRuns: 100,
  /** Tool calls of one answer of a model. */
  toolCallsPerBatch: 128,
  /** What the model reads of one tool result. */
  toolResultLength: 100_000,
  /** What is kept of the output of one post-tool hook. */
  hookOutputLength: 8 * 1024,
  /** What an event tells of the result of one tool; the conversation has all of it. */
  toolPreviewLength: 2000,
  /** Inputs of a person that wait for the end of a turn. */
  queuedInputs: 20,
  /** Text of one answer of a model. */
  streamTextLength: 1_000_000,
  /** Pieces of a stream that wait for one that is missing. */
  waitingStreamEvents: 1000,
  /** What a view keeps of the output of a command that runs. */
  liveOutputLength: 8 * 1024,
  /** Lines of a session that a view keeps. */
  agentViewItems: 2000,
  /** Text of one memory of a project, and the body of one task. */
  memoryBytes: 64 * 1024,
  notebookTags: 32,
  /** Groups of one list in the report of a replay; the rest are one group. */
  replayGroups: 500,
  /** Calls kept of each group. */
  replaySamples: 10,
  tellingCalls: 10,
  /** Calls of a transcript of which it is known that they were judged: some are written twice. */
  rememberedTranscribed: 10_000,
  replayDivergences: 100,
  replayNotes: 100,
  mailMessages: 100,
  mailRecipients: 1000,
} as const
