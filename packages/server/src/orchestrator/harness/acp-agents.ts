/** An agent that speaks the Agent Client Protocol, and how it is started. */
export interface AcpAgent {
  readonly argv: readonly [string, ...string[]]
  /** How the names of its own variables begin: its keys and addresses. */
  readonly variables: readonly string[]
  /** What makes it ask before it acts, where it would not by itself. */
  readonly environment?: Readonly<Record<string, string>>
}

/** opencode asks nothing unless it is told to. */
const opencodeAsks = JSON.stringify({ edit: 'ask', bash: 'ask', webfetch: 'ask' })

/** The agents we know by name; any other one is given by its command. */
export const acpAgents: Readonly<Record<string, AcpAgent>> = {
  claude: { argv: ['claude-agent-acp'], variables: ['ANTHROPIC_', 'CLAUDE_', 'DISABLE_'] },
  gemini: { argv: ['gemini', '--acp'], variables: ['GEMINI_', 'GOOGLE_'] },
  opencode: {
    argv: ['opencode', 'acp'],
    variables: ['OPENCODE_', 'OPENAI_', 'ANTHROPIC_'],
    environment: { OPENCODE_PERMISSION: opencodeAsks },
  },
  copilot: { argv: ['copilot', '--acp'], variables: ['COPILOT_', 'GITHUB_'] },
  codex: { argv: ['codex-acp'], variables: ['CODEX_', 'OPENAI_'] },
}
