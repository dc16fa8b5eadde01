import { styleText } from 'node:util'
import { unreachable } from '@statewright/core/internal'
import type { Command } from 'commander'
import { type DemoLine, playDemo } from '../../demo/play.ts'
import { demoWorkflow } from '../../demo/story.ts'
import { createStatewright } from '../../sdk/embedded.ts'
import type { GuardedRun, People } from '../../sdk/statewright.ts'
import { askLine, hasTerminal } from '../ask.ts'
import { printable, usesColour } from '../output/report.ts'
import { terminalWidth } from '../output/table.ts'
import { wrapText } from '../output/wrap-text.ts'

interface DemoOptions {
  readonly yes?: true
  readonly fast?: true
}

export function addDemo(program: Command): void {
  program
    .command('demo')
    .description('watch a workflow guard a scripted agent, in this terminal')
    .option('--yes', 'approve without asking (implied without a terminal)')
    .option('--fast', 'do not pause between steps')
    .addHelpText('after', '\nExamples:\n  statewright demo\n  statewright demo --yes --fast\n')
    .action(demo)
}

const pauseMs = 700

async function demo(options: DemoOptions): Promise<void> {
  const statewright = await createStatewright()
  try {
    const run = await statewright.start({ definition: demoWorkflow })
    const counts = { allowed: 0, denied: 0 }
    const isWatched = hasTerminal() && options.fast !== true
    for await (const line of playDemo(run)) {
      if (line.kind === 'allowed' || line.kind === 'denied') counts[line.kind]++
      process.stdout.write(`${shown(line)}\n`)
      if (line.kind === 'waits') await answer(statewright.people, line.approvalId, options)
      if (isWatched) await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
    process.stdout.write(`\n${await summary(run, counts)}\n`)
  } finally {
    await statewright.close()
  }
}

async function answer(people: People, approvalId: string, { yes }: DemoOptions): Promise<void> {
  const asks = yes !== true && hasTerminal()
  const word = asks ? await askLine('  You decide. Ship it? [y/n] ') : 'y'
  if (/^y/i.test(word.trim())) {
    await people.approve(approvalId, 'shipped in the demo')
    process.stdout.write(`${good('  approved')}  by ${asks ? 'you' : 'nobody: --yes'}\n`)
  } else {
    await people.reject(approvalId, 'not in the demo')
    process.stdout.write(`${bad('  rejected')}  by you; the agent stays where it is\n`)
  }
}

async function summary(run: GuardedRun, counts: { allowed: number; denied: number }) {
  const { status, state } = await run.state()
  return [
    `The run is ${status} in ${state}: ` +
      `${counts.allowed} calls let through, ${counts.denied} denied.`,
    'None of these rules was in a prompt. Try it on your own project: run',
    '"npm run install:global" in this clone, then "statewright init" in the project.',
  ].join('\n')
}

function shown(line: DemoLine): string {
  switch (line.kind) {
    case 'say':
      return `\n${colour('bold', line.text)}`
    case 'allowed':
      return `${good('  allow')}  ${printable(line.what)}`
    case 'denied':
      return `${bad('  deny ')}  ${printable(line.what)}\n${below(line.why ?? '')}`
    case 'moved':
      return `${colour('cyan', '  move ')}  ${printable(line.what)} -> ${printable(line.state)}`
    case 'notice':
      return colour('yellow', below(line.text))
    case 'waits':
      return `${colour('yellow', '  waits')}  for a person`
    default:
      return unreachable(line)
  }
}

/** Under what it belongs to, broken at the edge of the terminal. */
function below(text: string): string {
  const columns = terminalWidth() ?? 100
  return wrapText(printable(text), columns, ' '.repeat(9)).join('\n')
}

function good(text: string): string {
  return colour('green', text)
}

function bad(text: string): string {
  return colour('red', text)
}

function colour(style: 'bold' | 'cyan' | 'green' | 'red' | 'yellow', text: string): string {
  return usesColour(process.stdout) ? styleText(style, text, { validateStream: false }) : text
}
