/** Where a tool use comes from, as the client hook that announced it said. */
export interface ToolUse {
  readonly client: string
  readonly session: string
  readonly agentId?: string
  readonly project?: string
}
