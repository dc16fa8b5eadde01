import type { Command } from 'commander'
import { refusable } from '../command.ts'
import { replayRecorded } from './recorded-runs.ts'
import type { ReplayOptions } from './replay-options.ts'
import { replayTranscripts } from './transcripts.ts'

export function addReplay(program: Command): void {
  program
    .command('replay')
    .description('show what rules would have done to what already happened')
    .option('--claude-code', 'replay the transcripts of Claude Code')
    .option('--codex', 'those of Codex')
    .option('--gemini', 'those of Gemini CLI')
    .option('--opencode', 'those of opencode')
    .option('--transcripts <folder>', 'transcripts in another folder, or a single one')
    .option('--since <time>', 'such as 30d, 12h or 2026-11-01; all when left out')
    .option('--here', 'only sessions that began in this folder or below it')
    .option('--limit <number>', 'only this many sessions, the newest')
    .option('--template <name>', 'under the rules of a template')
    .option('--definition <file>', 'under the rules of a definition')
    .option(
      '--policy <file>',
      'recorded runs under a policy, instead of the saved one with its name',
    )
    .option('--as <name>', 'name of that policy; by default the name of the file')
    .option('--runs <filter>', 'only recorded runs such as workflow=deploy or project=/srv/shop')
    .option('--reanalyse', 'analyse recorded commands as this version does')
    .option('--json', 'print one JSON object')
    .option('--markdown', 'print Markdown, for a pull request')
    .option('--sarif', 'print SARIF, which code hosts show')
    .addHelpText('after', help)
    .action((options: ReplayOptions) =>
      refusable(() => (isOfTranscripts(options) ? replayTranscripts : replayRecorded)(options)),
    )
}

/** Without a client the runs that the server has recorded are meant. */
function isOfTranscripts(options: ReplayOptions): boolean {
  const { claudeCode, codex, gemini, opencode, transcripts } = options
  return [claudeCode, codex, gemini, opencode, transcripts].some((one) => one !== undefined)
}

const help = `
Without a client, the runs that the server has recorded are played again, as
they happened, under the rules that you name.

Transcripts are only read: nothing is executed, changed or sent anywhere, and
no server is needed. Calls are judged as if an obedient agent had made them:
where a call is denied it takes the legal way to a state that allows it. What
is still denied could not have been done in any legal way.

Exit codes: 0 nothing would differ, 3 something would, 5 nothing would, but some
calls cannot be decided, 130 stopped.

Examples:
  statewright replay --definition statewright/bugfix.yaml --since 30d
  statewright replay --policy team.yaml --runs workflow=deploy
  statewright replay --claude-code --since 30d --template bugfix
  statewright replay --codex --here --definition statewright/deploy.yaml
  statewright replay --transcripts ./sessions --template review-only --markdown
`
