import type { Command } from 'commander'
import { refusable } from '../command.ts'
import { type ReplayOptions, replayTranscripts } from './transcripts.ts'

export function addReplay(program: Command): void {
  program
    .command('replay')
    .description('show what rules would have done to what already happened')
    .option('--claude-code', 'replay the transcripts of Claude Code')
    .option('--codex', 'those of Codex')
    .option('--gemini', 'those of Gemini CLI')
    .option('--opencode', 'those of opencode')
    .option('--transcripts <folder>', 'transcripts that lie elsewhere, or one of them')
    .option('--since <time>', 'such as 30d, 12h or 2026-11-01; all when left out')
    .option('--here', 'only sessions that began in this folder or below it')
    .option('--limit <number>', 'only so many sessions, the newest')
    .option('--template <name>', 'under the rules of a template')
    .option('--definition <file>', 'under the rules of a definition')
    .option('--json', 'print one JSON object')
    .option('--markdown', 'print Markdown, for a pull request')
    .option('--sarif', 'print SARIF, which code hosts show')
    .addHelpText('after', help)
    .action((options: ReplayOptions) => refusable(() => replayTranscripts(options)))
}

const help = `
Transcripts are only read: nothing is executed, changed or sent anywhere, and
no server is needed. Calls are judged as if an obedient agent had made them:
where a call is denied it takes the legal way to a state that allows it. What
is still denied then no legal way would have allowed.

Exit codes: 0 nothing would differ, 3 something would, 5 nothing would, but some
calls cannot be decided, 130 stopped.

Examples:
  statewright replay --claude-code --since 30d --template bugfix
  statewright replay --codex --here --definition statewright/deploy.yaml
  statewright replay --transcripts ./sessions --template review-only --markdown
`
