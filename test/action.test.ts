import { spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { claudeSession } from '../packages/server/src/transcripts/fixtures.test-kit.ts'
import { patience } from '../packages/server/testing/testbed.ts'

/** The GitHub Action: its steps are played by a shell on a small repository. */
const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'statewright-action-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Step {
  readonly name: string
  readonly if?: string
  readonly shell: string
  readonly env?: Readonly<Record<string, string>>
  readonly run: string
}
interface Action {
  readonly inputs: Readonly<
    Record<string, { readonly description: string; readonly default: string }>
  >
  readonly outputs: Readonly<Record<string, { readonly value: string }>>
  readonly runs: { readonly using: string; readonly steps: readonly Step[] }
}
const action: Action = parse(readFileSync(join(root, 'action.yml'), 'utf8'))

type Inputs = Readonly<Record<string, string>>

/** `${{ inputs.x }}` as GitHub fills it in; conditions only compare an input with a text. */
function filled(text: string, inputs: Inputs): string {
  return text.replaceAll(/\$\{\{ inputs\.([a-z-]+) \}\}/g, (_, name) => inputs[name] ?? '')
}

function isOn(condition: string | undefined, inputs: Inputs): boolean {
  if (condition === undefined) return true
  const [, name = '', sign, text] =
    /^\$\{\{ inputs\.([a-z-]+) (==|!=) '([^']*)' \}\}$/.exec(condition) ?? []
  if (sign === undefined) throw new Error(`a condition that the test does not know: ${condition}`)
  return ((inputs[name] ?? '') === text) === (sign === '==')
}

interface Played {
  readonly exits: Readonly<Record<string, number | null>>
  readonly output: string
  readonly summary: string
  readonly sarif: readonly string[]
}

/** Plays the steps in a repository, until one fails. */
function play(
  name: string,
  files: Readonly<Record<string, string>>,
  given: Inputs = {},
  only = action.runs.steps.map((step) => step.name),
): Played {
  const repository = join(folder, name)
  const temp = join(repository, '.runner')
  mkdirSync(join(repository, 'statewright'), { recursive: true })
  mkdirSync(join(temp, 'statewright-sarif'), { recursive: true })
  for (const [file, text] of Object.entries(files)) writeFileSync(join(repository, file), text)
  const defaults = Object.entries(action.inputs).map(
    ([key, input]) => [key, input.default] as const,
  )
  const inputs: Inputs = { ...Object.fromEntries(defaults), install: 'false', ...given }
  const summary = join(temp, 'summary.md')
  writeFileSync(summary, '')
  const exits: Record<string, number | null> = {}
  let output = ''
  for (const step of action.runs.steps) {
    if (!isOn(step.if, inputs) || !only.includes(step.name)) continue
    const env = Object.entries(step.env ?? {}).map(([key, text]) => [key, filled(text, inputs)])
    // As GitHub starts it.
    const ran = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run], {
      cwd: repository,
      encoding: 'utf8',
      env: {
        PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}`,
        HOME: temp,
        RUNNER_TEMP: temp,
        GITHUB_OUTPUT: join(temp, 'output'),
        GITHUB_STEP_SUMMARY: summary,
        ...Object.fromEntries(env),
      },
    })
    output += ran.stdout + ran.stderr
    exits[step.name] = ran.status
    if (ran.status !== 0) break
  }
  const sarif = readdirSync(join(temp, 'statewright-sarif')).sort()
  return { exits, output, summary: readFileSync(summary, 'utf8'), sarif }
}

const template = (name: string) =>
  readFileSync(join(root, 'packages/server/templates', name), 'utf8')
const bugfix = {
  'statewright/bugfix.yaml': template('bugfix.yaml'),
  'statewright/bugfix.scenarios.yaml': template('bugfix.scenarios.yaml'),
}

test('the action names what it takes, and no input stands in a script', () => {
  expect(action.runs.using).toBe('composite')
  for (const { run, shell } of action.runs.steps) {
    expect([shell, run.includes('${{')]).toEqual(['bash', false])
  }
  for (const { description } of Object.values(action.inputs)) expect(description).not.toBe('')
})

describe('the steps of the action', () => {
  test('stop at what is wrong, with a report of it', patience, () => {
    const text = bugfix['statewright/bugfix.yaml'].replace('allowed_tools', 'allowed_tolls')
    const { exits, output, sarif } = play('faulty', { ...bugfix, 'statewright/bugfix.yaml': text })
    expect([exits, sarif]).toEqual([{ Check: 3 }, ['check.sarif']])
    expect(output).toContain('Did you mean "allowed_tools"?')
  })

  test('stop at a claim that is refuted', patience, () => {
    const claims = 'definition: bugfix.yaml\nclaims:\n  - never: { enter: fixing }\n'
    const { exits } = play('refuted', { ...bugfix, 'statewright/bugfix.scenarios.yaml': claims })
    expect(exits).toEqual({ Check: 0, Prove: 3 })
  })

  test('stop where nothing matches, and run no input', patience, () => {
    const { exits, output } = play(
      'none',
      {},
      { files: 'none/*.yaml $(touch hacked) ;touch hacked' },
    )
    expect(exits).toEqual({ Check: 2 })
    expect(output).toContain('::error::No file matches')
    expect(readdirSync(join(folder, 'none'))).not.toContain('hacked')
  })

  test('check, prove and play workflows, and replay transcripts into the summary', patience, () => {
    const home = join(folder, 'transcripts-home')
    claudeSession(home)
    const transcripts = join(folder, 'sessions')
    cpSync(join(home, '.claude/projects'), transcripts, { recursive: true })
    const given = { transcripts }
    const { exits, summary, sarif } = play('good', bugfix, given)
    expect(exits).toEqual({ Check: 0, Prove: 0, Test: 0, Replay: 0 })
    expect(summary).toContain('| would be denied | 1 |')
    expect(sarif).toEqual(['check.sarif', 'prove.sarif', 'replay.sarif'])
    const must = play('must', bugfix, { ...given, 'replay-must-agree': 'true' }, ['Replay'])
    expect(must.exits).toEqual({ Replay: 3 })
  })
})
