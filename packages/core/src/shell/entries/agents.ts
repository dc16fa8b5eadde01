/** Coding agents and the programs that fetch and start packages (SH-17). */
export const agents = {
  programs: new Set(
    (
      'claude codex gemini opencode copilot cursor-agent cursor aider goose amp ' +
      'droid crush qwen ' +
      'qodo cody continue cline kilocode auggie plandex openhands interpreter sgpt ' +
      'ollama warp-cli kiro-cli'
    ).split(' '),
  ),
  packages: new Set([
    '@anthropic-ai/claude-code',
    '@openai/codex',
    '@google/gemini-cli',
    '@github/copilot',
    '@qwen-code/qwen-code',
    '@sourcegraph/amp',
    '@sourcegraph/cody',
    '@charmland/crush',
    '@continuedev/cli',
    'opencode-ai',
    'aider-chat',
    'openhands-ai',
    'open-interpreter',
  ]),
  runners: new Set('npx npm pnpm yarn bunx bun uvx uv pipx pip deno dlx corepack node'.split(' ')),
}
