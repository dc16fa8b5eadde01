import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { patience, type Ready, Testbed } from '../packages/server/testing/testbed.ts'
import { asShown, shownCommands, typeAtTerminal } from './support/shown-commands.ts'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const section = /## A guarded run\n([\s\S]*?)\n## /.exec(readme)?.[1] ?? ''
const shown = shownCommands(section)
const testbed = new Testbed()
afterAll(() => testbed.close())

let answers: readonly string[] = []
let ready: Ready

beforeAll(async () => {
  writeFileSync(
    join(testbed.project, 'bugfix.yaml'),
    /```yaml\n([\s\S]*?)```/.exec(readme)?.[1] ?? '',
  )
  ready = (await testbed.up()).ready
  const commands = shown.map(({ command }) => here(command))
  answers = await typeAtTerminal(testbed, commands)
}, patience.timeout)

/** The same text with the address and the link of the server that really runs. */
function here(text: string): string {
  return text
    .replaceAll('http://localhost:4747/login/…', ready.login)
    .replaceAll('http://127.0.0.1:4747', ready.url)
}

describe('the guarded run of the README', () => {
  test('shows the whole way, from login to proof', () => {
    const verbs = shown.map(
      ({ command }) => /(?:statewright|\/api\/)(?: )?([a-z]+(?: [a-z]+)?)/.exec(command)?.[1],
    )
    expect(verbs).toEqual([
      'login http',
      'workflow push',
      'run start',
      'token create',
      'check',
      'run transition',
      'run transition',
      'run transition',
      'approval approve',
      'approval approve',
      'run show',
      'run verify',
    ])
  })

  test.each(shown.map((one, index) => ({ ...one, index })))(
    'is true about: $command',
    ({ answer, index }) => {
      expect(answers[index]?.trim()).toMatch(asShown(here(answer)))
    },
  )
})
