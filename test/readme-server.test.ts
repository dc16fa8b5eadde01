import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bin, finished, Place, patience, type Ready } from './server-kit.ts'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const section = /## A guarded run\n([\s\S]*?)\n## /.exec(readme)?.[1] ?? ''
const place = new Place()
afterAll(() => place.close())

/** What the README shows as typed, and what it shows as the answer. */
const shown = [...section.matchAll(/^\$ ((?:.*\\\n)*.*)\n((?:(?!\$ |```).*\n)*)/gm)].map(
  ([, command = '', answer = '']): [string, string] => [command, answer.trim()],
)

/** The two programs that a reader has and a test may not count on. */
function writePrograms(folder: string): void {
  mkdirSync(folder)
  const npx = `#!/bin/sh\nshift\nexec '${process.execPath}' '${bin}' "$@"\n`
  const curl = `#!${process.execPath}
const [url, ...rest] = process.argv.slice(2).filter((word) => word !== '-s')
const after = (name) => rest[rest.indexOf(name) + 1]
const [header, value] = after('-H').split(': ')
const options = { method: 'POST', headers: { [header]: value }, body: after('-d') }
fetch(url, options).then((answer) => answer.text()).then((text) => process.stdout.write(text))
`
  for (const [name, text] of Object.entries({ npx, curl })) {
    writeFileSync(join(folder, name), text)
    chmodSync(join(folder, name), 0o755)
  }
}

const answers: string[] = []
let ready: Ready

beforeAll(async () => {
  const programs = join(place.folder, 'bin')
  writePrograms(programs)
  writeFileSync(
    join(place.project, 'bugfix.yaml'),
    /```yaml\n([\s\S]*?)```/.exec(readme)?.[1] ?? '',
  )
  ready = (await place.up()).ready
  const mark = '@@@'
  const script = shown.map(([command]) => `echo '${mark}'\n{ ${here(command)}\n} 2>&1\n`).join('')
  const shell = spawn('sh', ['-c', script], {
    cwd: place.project,
    env: place.environment({ PATH: `${programs}:${process.env.PATH}` }),
  })
  const { out } = await finished(shell)
  answers.push(...out.split(`${mark}\n`).slice(1))
}, patience.timeout)

/** The same text with the address and the link of the server that really runs. */
function here(text: string): string {
  return text
    .replaceAll('http://127.0.0.1:4747/login/…', ready.login)
    .replaceAll('http://127.0.0.1:4747', ready.url)
}

describe('the guarded run of the README', () => {
  test('shows the whole way, from login to proof', () => {
    const verbs = shown.map(
      ([command]) => /(?:statewright|\/api\/)(?: )?([a-z]+(?: [a-z]+)?)/.exec(command)?.[1],
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

  test.each(shown.map(([command, answer], index) => ({ command, answer, index })))(
    'is true about: $command',
    ({ answer, index }) => {
      // An ellipsis stands for what differs each time: ids, times, the place of a file.
      const parts = here(answer).split('…').map(escaped)
      expect(answers[index]?.trim()).toMatch(new RegExp(`^${parts.join('.*')}$`))
    },
  )
})

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
