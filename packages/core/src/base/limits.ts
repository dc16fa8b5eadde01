/** Every bound of the core in one place. Each is tested at its edge. */
export const limits = {
  /** Text of one definition. A larger file is refused before it is parsed. */
  definitionBytes: 1024 * 1024,
  definitionDepth: 64,
  states: 10_000,
  /** How often YAML aliases may be followed, so that a small file cannot unfold into a large one. */
  yamlAliases: 1000,
  /** Findings reported for one definition; the rest are counted. */
  findings: 100,
  nameLength: 200,
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
  openApprovals: 20,
  rememberedAsks: 100,
  filesPerState: 10_000,
  briefLength: 8000,
  messageLength: 2000,
} as const
