import type { Command } from 'commander'
import { approve, listApprovals, reject, showApproval } from './answer.ts'
import { watchApprovals } from './watch.ts'

export function addApproval(program: Command): void {
  const approval = program
    .command('approval')
    .description('approvals: decisions that wait for a person')
  approval
    .command('list')
    .description('list approvals')
    .option(
      '--status <status>',
      'waiting, approved, rejected, expired, withdrawn or failed',
      'waiting',
    )
    .option('--run <run>', 'only those of this run')
    .option('--json', 'print one JSON object per line')
    .addHelpText('after', listExamples)
    .action(listApprovals)
  approval
    .command('show')
    .description('show an approval in full, and what each answer would do')
    .argument('<approval>', 'its id, the beginning of it, or the run in which it waits')
    .option('--json', 'print one JSON object')
    .addHelpText('after', showExamples)
    .action(showApproval)
  approval
    .command('watch')
    .description('show approvals as they come in, and answer each with a key')
    .option('--json', 'print one JSON object per line and ask nothing')
    .addHelpText('after', watchExamples)
    .action(watchApprovals)
  approval
    .command('approve')
    .description('approve')
    .argument('<approval>', 'its id, the beginning of it, or the run in which it waits')
    .option('--note <text>', 'sent to the agent and kept in the history')
    .option('--always', 'also for the same call later in this run')
    .option('--json', 'print one JSON object')
    .addHelpText('after', answerExamples)
    .action(approve)
  approval
    .command('reject')
    .description('reject')
    .argument('<approval>', 'its id, the beginning of it, or the run in which it waits')
    .requiredOption('--reason <text>', 'sent to the agent and kept in the history')
    .option('--json', 'print one JSON object')
    .addHelpText('after', answerExamples)
    .action(reject)
}

const listExamples = `
Examples:
  statewright approval list
  statewright approval list --json | jq -r .approval_id
`

const showExamples = `
What the agent wrote is shown in full behind a bar; characters that could hide a
part of it are spelled out, such as \\u{202e}.

Example:
  statewright approval show apr_5f0c1a2b
`

const watchExamples = `
Keys: a approve, r reject (asks for the reason), s later, q leave. The PIN
is asked for where it is needed. Without a terminal, approvals are only printed.

Example:
  statewright approval watch
`

const answerExamples = `
Only a person may answer. Exit codes: 0 answered, 3 refused or answered before,
4 no such approval.

Examples:
  statewright approval approve apr_5f0c1a2b --note "go on"
  statewright approval reject apr_5f0c1a2b --reason "the tests are red"
`
