import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DashboardWorld } from './world.ts'

const markdown = `## What I found

The cart rounds **each price** before the sum, see \`total()\` in *src/cart.ts*:

\`\`\`ts
export const total = (a: number, b: number) => round(a) + round(b)
\`\`\`

| cart | shown | right |
|---|---|---:|
| two of 0.335 | 0.68 | 0.67 |
| one of 0.335 | 0.34 | 0.34 |

1. Round once, at the end.
2. Add a test with \`0.335\`.
   - [x] found
   - [ ] fixed

> <b onclick="window.hacked=1">raw</b> stays raw.

See [the docs](https://example.org/rounding), [no script](javascript:window.hacked=1) and
![a picture](https://example.org/x.png).
`

/** What sessions in tests and pictures play: each a list of turns, as a person would write it. */
const scripts = {
  /** Looks around, is denied a change, says so and stops there. */
  fix: [
    [
      { thinking: 'The total is off by a cent, so that the rounding is the first suspect.' },
      { text: 'I will look at how the cart sums up before I change anything.' },
      { tool: 'list_files', arguments: { path: '.' } },
      { tool: 'read_file', arguments: { path: 'src/cart.ts' } },
      { usage: { input_tokens: 1840, output_tokens: 212, cost_usd: 0.0187, model: 'scripted-1' } },
    ],
    [
      { text: 'Each price is rounded before the sum. I will round once, at the end.' },
      {
        tool: 'edit_file',
        arguments: { path: 'src/cart.ts', old_text: 'round(a)', new_text: 'a' },
      },
      { tool: 'bash', arguments: { command: 'npm test -- --run cart' } },
      { usage: { input_tokens: 2410, output_tokens: 160, cost_usd: 0.0211, model: 'scripted-1' } },
    ],
    [
      { text: 'Changing files is not allowed while planning. The cause: rounding before the sum.' },
      { usage: { input_tokens: 2630, output_tokens: 58, cost_usd: 0.0124, model: 'scripted-1' } },
    ],
  ],
  /** A command that is too slow, which only a person may run again. */
  slow: [
    [
      { text: 'I run the slow check.' },
      {
        tool: 'bash',
        arguments: { command: 'touch tried; test -f go || sleep 5', timeout_ms: 400 },
      },
    ],
    [{ text: 'The check went through.' }],
  ],
  /** A command that prints and goes on until somebody has looked. */
  printing: [
    [
      { text: 'I run the tests.' },
      {
        tool: 'bash',
        arguments: { command: 'echo 12 of 40 passed; until [ -e looked ]; do sleep 0.05; done' },
      },
    ],
    [{ text: 'They pass.' }],
  ],
  /** A change, after which the hook of the data folder runs. */
  hooked: [
    [
      { text: 'I write the note.' },
      { tool: 'write_file', arguments: { path: 'note.md', content: 'done\n' } },
    ],
    [{ text: 'The note is written and formatted.' }],
  ],
  /** Words that come one after the other. */
  words: [
    [
      { text: 'One ' },
      { delay_ms: 1500 },
      { text: 'two ' },
      { delay_ms: 60_000 },
      { text: 'three.' },
    ],
  ],
  /** Asks before each command where the rules say so. */
  asking: [
    [{ text: 'I look at the tags.' }, { tool: 'bash', arguments: { command: 'git tag --list' } }],
    [{ text: 'The last tag is v2.4.0.' }],
  ],
  /** What models write: all of Markdown, and what must not become a page. */
  markdown: [
    [
      { thinking: 'A table shows it best.' },
      { text: markdown },
      { usage: { input_tokens: 900, output_tokens: 300, cost_usd: 0.02, model: 'scripted-1' } },
    ],
    [{ text: 'First answer.' }],
    [{ text: 'Second answer.' }],
  ],
  hostile: [
    [
      { thinking: `<script>window.hacked=1</script> \u202e thinking` },
      { text: `<img src=x onerror="window.hacked=1"> rm -rf / \u202e txt.exe ${'x'.repeat(3000)}` },
      {
        tool: `<img src=x onerror="window.hacked=1">${'y'.repeat(300)}`,
        arguments: { command: `<script>window.hacked=1</script> \u202e ${'z'.repeat(2000)}` },
      },
      { status: `<svg onload="window.hacked=1"> \u202e ${'w'.repeat(2000)}` },
    ],
    [{ error: { code: 'bad', message: `<b onclick=1>\u202e ${'v'.repeat(2000)}` } }],
  ],
}

export type ScriptName = keyof typeof scripts

/** A folder with the scripts in it, and with something to look at. */
export function sessionWorkspace(world: DashboardWorld): string {
  const folder = join(world.folder, 'shop')
  mkdirSync(join(folder, 'src'), { recursive: true })
  const cart = 'export const total = (a: number, b: number) => round(a) + round(b)\n'
  writeFileSync(join(folder, 'src', 'cart.ts'), cart)
  writeFileSync(join(folder, 'package.json'), '{ "name": "shop" }\n')
  for (const [name, turns] of Object.entries(scripts)) {
    writeFileSync(join(folder, `${name}.json`), JSON.stringify({ turns }))
  }
  return folder
}

/** A hook that is content only once there is a file called `formatted`; the server starts anew. */
export async function withHook(world: DashboardWorld): Promise<void> {
  const hook = {
    name: 'format',
    command: ['sh', '-c', 'test -f formatted || { echo note.md: 1 line too long; exit 1; }'],
    failure_policy: { type: 'fail_session' },
  }
  await world.restart(async () => {
    writeFileSync(join(world.folder, 'data', 'hooks.json'), JSON.stringify({ hooks: [hook] }))
  })
}

/** Starts one over the API and waits until it can be spoken to. */
export async function startScripted(
  world: DashboardWorld,
  script: ScriptName,
  rules: { readonly workflow?: string } = {},
): Promise<string> {
  const { sessionId } = await world.person('POST', '/api/sessions', {
    harness: 'scripted',
    projectPath: sessionWorkspace(world),
    options: { script: `${script}.json` },
    ...rules,
  })
  for (let look = 0; look < 100; look++) {
    const { kind } = await world.person('GET', `/api/sessions/${sessionId}`)
    if (kind === 'ready') return sessionId
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('the session did not become ready')
}
