import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bin, finished, type Testbed } from '../../packages/server/testing/testbed.ts'
import { atTerminal } from './terminal.ts'

/** What a page shows as typed, and what it shows as the answer. */
export interface Shown {
  readonly command: string
  readonly answer: string
}

/** Commands of a page: a line that begins with `$ `, and the lines below it up to the next. */
export function shownCommands(text: string): Shown[] {
  const pattern = /^\$ ((?:.*\\\n)*.*)\n((?:(?!\$ |```).*\n)*)/gm
  return [...text.matchAll(pattern)].map(([, command = '', answer = '']) => ({
    command,
    answer: answer.trim(),
  }))
}

/** Types the commands into one shell, as a reader would, and gives back what each said. */
export async function typeCommands(
  testbed: Testbed,
  commands: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<string[]> {
  const { script, PATH } = commandScript(testbed, commands)
  const shell = spawn('sh', ['-c', script], {
    cwd: testbed.project,
    env: testbed.environment({ PATH, ...environment }),
  })
  const { out } = await finished(shell)
  return shownAnswers(out)
}

/** The same at a terminal, by somebody who chooses a PIN and types it whenever it is asked for. */
export async function typeAtTerminal(
  testbed: Testbed,
  commands: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<string[]> {
  const { script, PATH } = commandScript(testbed, commands)
  const env = testbed.environment({ PATH, NO_COLOR: '1', TERM: 'xterm', ...environment })
  const pin = { question: /(?:PIN|later\)|more|Once more): $/, answer: '246800\r' }
  const where = { folder: testbed.folder, cwd: testbed.project, env }
  // A question ends with a blank, which no page shows.
  return shownAnswers((await atTerminal(script, where, pin)).replaceAll(/ +$/gm, ''))
}

const mark = '@@@'

/** A script that types them one after the other, and the PATH on which it finds our command. */
function commandScript(
  testbed: Testbed,
  commands: readonly string[],
): { readonly script: string; readonly PATH: string } {
  const programs = join(testbed.folder, 'bin')
  writePrograms(programs)
  const script = commands.map((command) => `echo '${mark}'\n{ ${command}\n} 2>&1\n`).join('')
  return { script, PATH: `${programs}:${process.env.PATH}` }
}

/** What each of them said. */
function shownAnswers(out: string): string[] {
  return out.split(`${mark}\n`).slice(1)
}

/** Whether an answer is what the page shows; an ellipsis stands for what differs each time. */
export function asShown(answer: string): RegExp {
  const pieces = answer.split('…').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${pieces.join('.*')}$`)
}

/** The two programs that a reader has and a test may not count on. */
function writePrograms(folder: string): void {
  mkdirSync(folder, { recursive: true })
  const statewright = `#!/bin/sh\nexec '${process.execPath}' '${bin}' "$@"\n`
  const curl = `#!${process.execPath}
const [url, ...rest] = process.argv.slice(2).filter((word) => word !== '-s')
const after = (name) => rest[rest.indexOf(name) + 1]
const [header, value] = after('-H').split(': ')
const options = { method: 'POST', headers: { [header]: value }, body: after('-d') }
fetch(url, options).then((answer) => answer.text()).then((text) => process.stdout.write(text))
`
  for (const [name, text] of Object.entries({ statewright, curl })) {
    writeFileSync(join(folder, name), text)
    chmodSync(join(folder, name), 0o755)
  }
}
