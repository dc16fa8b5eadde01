/** The argument in which a client's plugin hands on the id of its call; no tool of ours has it. */
export const callMark = 'statewright_call'

/** Where a tool use comes from, as the client hook that announced it said. */
export interface ToolUse {
  readonly client: string
  readonly session: string
  readonly agentId?: string
  readonly project?: string
}
