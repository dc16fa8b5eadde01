import { hash } from 'node:crypto'
import { stableText } from '@statewright/core/internal'
import { type ConfigChange, endpoints } from '@statewright/core/wire'
import type { Command } from 'commander'
import { z } from 'zod'
import { resolveConfig } from '../../config/resolve.ts'
import { askLine, hasTerminal } from '../ask.ts'
import {
  call,
  type JsonOption,
  orRefuse,
  printJson,
  refuse,
  say,
  saySentence,
  tryCall,
  withServer,
} from '../command.ts'
import { printable } from '../output/report.ts'
import { shortPath } from '../output/short-path.ts'
import { table, terminalWidth } from '../output/table.ts'
import { addConfigMode, modeLines } from './mode.ts'

export function addConfig(program: Command): void {
  const config = program.command('config').description('the configuration and its changes')
  config
    .command('show')
    .description('show the settings, where each comes from, and a change that waits')
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExample:\n  statewright config show\n')
    .action(showConfig)
  config
    .command('accept')
    .description('read the files again, and accept the waiting change')
    .option('--yes', 'do not ask')
    .option('--json', 'print one JSON object')
    .addHelpText('after', acceptExamples)
    .action(acceptConfig)
  addConfigMode(config)
}

const acceptExamples = `
A change that loosens a rule never takes effect by itself, and while runs are
live no change does: an agent must not be able to edit its own rules. The change
is shown first, with the protection that it removes, and exactly what was shown
is accepted. The same applies to programs that the project names, and to files
of the project that they start. A change that loosens a rule asks for your PIN.
If you have only a passkey, accept it in the dashboard's settings, because
passkeys do not work in a terminal.

Example:
  statewright config accept
`

/** What the files say holds only from the next start; what the server says holds now. */
async function showConfig(options: JsonOption): Promise<void> {
  await withServer(async (client) => {
    const written = orRefuse(
      resolveConfig({ folder: process.cwd(), environment: process.env, flags: {} }),
    )
    const held = await tryCall(client, endpoints.getConfig)
    if (options.json === true) {
      const { projectKeys: _, ...read } = written
      printJson({
        ...read,
        held: held.ok ? held.value.settings : null,
        mode: held.ok ? held.value.mode : null,
        waiting: held.ok ? held.value.waiting : null,
      })
      return
    }
    const rows = Object.entries(written.settings).map(([key, value]) => ({
      key,
      value: shown(key, value),
      from: shortPath(new Map(Object.entries(written.origins)).get(key) ?? ''),
      held: held.ok ? inEffect(key, value, held.value.settings[key] ?? null) : '?',
    }))
    const columns = [
      { title: 'KEY', text: (row: (typeof rows)[number]) => row.key },
      { title: 'IN FILE', text: (row: (typeof rows)[number]) => row.value, gives: true as const },
      { title: 'FROM', text: (row: (typeof rows)[number]) => row.from, gives: true as const },
      { title: 'IN EFFECT', text: (row: (typeof rows)[number]) => row.held, gives: true as const },
    ]
    process.stdout.write(`${table(rows, columns, terminalWidth())}\n`)
    if (!held.ok) say(`What is in effect cannot be shown: ${held.error.message}`)
    else {
      const { mode, waiting } = held.value
      if (mode.choice !== null || mode.ended !== null) for (const line of modeLines(mode)) say(line)
      if (waiting !== null) say('A change waits; accept it with "statewright config accept".')
    }
  })
}

async function acceptConfig(options: JsonOption & { readonly yes?: true }): Promise<void> {
  await withServer(async (client) => {
    const { waiting, settings } = await call(client, endpoints.reloadConfig)
    if (waiting === null) {
      if (options.json === true) printJson({ accepted: false, changes: [] })
      for (const line of unwaited(settings)) say(line)
      return
    }
    for (const change of waiting.changes) for (const line of changeLines(change)) saySentence(line)
    if (options.yes !== true && !(await confirm())) {
      say('Cancelled. Nothing was accepted.')
      process.exitCode = 130
      return
    }
    const body = { hash: waiting.hash }
    const { warnings } = await call(client, endpoints.acceptConfig, { body })
    if (options.json === true) printJson({ accepted: true, changes: waiting.changes })
    else process.stdout.write('accepted\n')
    for (const warning of warnings) say(printable(`warning: ${warning}`))
    if (waiting.changes.some(({ key }) => key === 'durability')) {
      say('durability takes effect when the server starts again.')
    }
  })
}

/** What the files say may be in effect only from the next time that they are read. */
function unwaited(inEffect: Readonly<Record<string, unknown>>): string[] {
  const read = resolveConfig({ folder: process.cwd(), environment: process.env, flags: {} })
  const written: Record<string, unknown> = read.ok ? { ...read.value.settings } : {}
  const changed = Object.keys(written).filter(
    (key) => stableText(written[key]) !== stableText(inEffect[key] ?? null),
  )
  if (changed.length === 0) return ['Nothing to accept: what the files say is in effect.']
  return [
    `Nothing to accept, but what the files say is not in effect for: ${changed.join(', ')}.`,
    '  next: restart the server without those flags and variables: they override the files.',
  ]
}

const Files = z.array(z.looseObject({ file: z.string(), text: z.string() }))

/** A value that stands in the file is not written out a second time: no line would fit. */
function inEffect(key: string, written: unknown, held: unknown): string {
  return stableText(written) === stableText(held) ? 'the same' : shown(key, held)
}

/** Whole definitions would bury everything else: a file is shown with a digest of its text. */
function shown(key: string, value: unknown): string {
  const files = key === 'definitions' ? Files.safeParse(value) : undefined
  if (files?.success !== true) return JSON.stringify(value)
  return files.data
    .map(({ file, text }) => `${file} (${hash('sha256', text).slice(0, 8)})`)
    .join(', ')
}

function changeLines({ key, from, to, loosens }: ConfigChange): string[] {
  const line = printable(`  ${key}: ${shown(key, from)} -> ${shown(key, to)}`)
  return loosens === null ? [line] : [line, printable(`    LOOSENS: ${loosens}`)]
}

async function confirm(): Promise<boolean> {
  if (!hasTerminal()) {
    refuse({
      code: 'usage',
      message: 'Nothing was accepted: there is no terminal to ask you in.',
      where: 'config accept',
      next: 'look at the change above, then add --yes.',
    })
  }
  const answer = await askLine('Accept this? [y/N] ')
  return /^y(es)?$/i.test(answer.trim())
}
