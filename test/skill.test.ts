import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { skillLimits } from '../packages/server/src/templates/skill/limits.ts'
import { patience, Testbed, threeLines } from '../packages/server/testing/testbed.ts'

const testbeds: Testbed[] = []
afterAll(() => {
  for (const testbed of testbeds) testbed.close()
})

function project(skill: string | Uint8Array): Testbed {
  const testbed = new Testbed()
  testbeds.push(testbed)
  mkdirSync(join(testbed.project, '.git'))
  writeFileSync(join(testbed.project, 'SKILL.md'), skill)
  return testbed
}

const release = `---
name: release
description: Publish a version.
allowed-tools: Read, Bash(npm test)
---
## Steps

1. Read the changes.
2. Run \`npm test\`. If it fails, go back to step 1.
3. Publish it.
`

const longest = Array.from({ length: skillLimits.steps }, (_, at) => `${at + 1}. Step ${at + 1}`)

const skills: readonly [string, string, string][] = [
  ['a list and tools', release, 'release'],
  ['headings and no tools', '## Step 1: Look\n\n## Step 2: Do\n', 'project'],
  ['as many steps as there may be', longest.join('\n'), 'project'],
]

describe('init --from', () => {
  test.each(skills)(
    'SK-4: a skill with %s checks clean, plays, and no step can be skipped',
    patience,
    async (_, skill, name) => {
      const testbed = project(skill)
      const made = await testbed.hosted(['init', '--from', 'SKILL.md', '--yes', '--json'])
      expect([made.exit, JSON.parse(made.out)]).toMatchObject([0, { mode: 'strict' }])
      const [file = '', scenarios = '', config] = JSON.parse(made.out).files
      expect([file.startsWith('statewright/'), config]).toEqual([true, 'statewright.yaml'])
      if (name !== 'project') expect(file).toBe(`statewright/${name}.yaml`)
      const checked = await testbed.hosted(['workflow', 'check', '--strict', file])
      expect([checked.exit, checked.out]).toEqual([0, ''])
      const played = await testbed.hosted(['workflow', 'test', scenarios])
      expect([played.exit, played.out]).toEqual([0, expect.not.stringContaining('failed')])
      const proved = await testbed.hosted(['workflow', 'prove', file, '--json'])
      const [{ claims }] = JSON.parse(proved.out).files
      const steps = Object.keys(parse(readFileSync(join(testbed.project, file), 'utf8')).states)
      const verdicts = claims.map(({ name: claim, verdict }: Record<string, string>) => {
        return `${verdict} ${claim}`
      })
      expect(verdicts.slice(0, steps.length - 1)).toEqual([
        ...steps.slice(2).map((_, at) => `proved step ${at + 2} needs step ${at + 1}`),
        `proved the end needs step ${steps.length - 1}`,
      ])
      expect(proved.exit).toBe(0)
    },
  )

  test(
    'SK-2, SK-3, SK-5: writes one state for each step and names the rest',
    patience,
    async () => {
      const testbed = project(release.replace('Read,', 'Read, Edit(src),'))
      const made = await testbed.hosted(['init', '--from', '.', '--yes', '--mode', 'enforce'])
      expect(made.talk).toContain('SKILL.md:1: The tool "Edit(src)" was left out: ')
      const text = readFileSync(join(testbed.project, 'statewright/release.yaml'), 'utf8')
      const tools = { allowed_tools: ['Read', 'Bash(npm test)'] }
      expect(parse(text)).toEqual({
        id: 'release',
        meta: { description: 'Publish a version.' },
        initial: 'step_1_read_the_changes',
        states: {
          step_1_read_the_changes: {
            ...tools,
            instructions: 'Read the changes.',
            on: { STEP_1_DONE: 'step_2_run_npm_test' },
          },
          step_2_run_npm_test: {
            ...tools,
            instructions: 'Run `npm test`. If it fails, go back to step 1.',
            on: { STEP_2_DONE: 'step_3_publish_it', BACK_TO_STEP_1: 'step_1_read_the_changes' },
          },
          step_3_publish_it: {
            ...tools,
            instructions: 'Publish it.',
            on: { STEP_3_DONE: 'done' },
          },
          done: { type: 'final' },
        },
      })
      expect(text).toContain('    # allowed_commands: ["npm test"]\n')
      const config = parse(readFileSync(join(testbed.project, 'statewright.yaml'), 'utf8'))
      expect(config).toEqual({ definitions: ['statewright/release.yaml'], workflow: 'release' })

      const again = await testbed.hosted(['workflow', 'new', '--from', 'SKILL.md'])
      expect([again.exit, again.talk]).toEqual([3, expect.stringMatching(threeLines('name_taken'))])
    },
  )

  const refused: readonly [string, string | Uint8Array, readonly string[], string][] = [
    ['a text without steps', 'Be careful.\n', [], 'definition_invalid'],
    ['bytes that are no text', new Uint8Array([0xff, 0xfe, 0x31]), [], 'file_unreadable'],
    ['too many bytes', 'x'.repeat(skillLimits.fileBytes + 1), [], 'file_unreadable'],
    ['two sources', release, ['--template', 'bugfix'], 'usage'],
  ]
  test.each(refused)(
    'SK-1, SK-6: %s is refused, and nothing is written',
    patience,
    async (...row) => {
      const [, skill, more, code] = row
      const testbed = project(skill)
      const { exit, talk } = await testbed.hosted(['init', '--from', 'SKILL.md', '--yes', ...more])
      expect(exit).not.toBe(0)
      expect(talk).toMatch(threeLines(code))
      expect(existsSync(join(testbed.project, 'statewright.yaml'))).toBe(false)
      expect(existsSync(join(testbed.project, 'statewright'))).toBe(false)
    },
  )

  test('SK-6: a pipe and a file that is not there are refused at once', patience, async () => {
    const testbed = project(release)
    spawnSync('mkfifo', [join(testbed.project, 'pipe')])
    for (const path of ['pipe', 'none.md', '/dev/zero']) {
      const { exit, talk } = await testbed.hosted(['init', '--from', path, '--yes'])
      expect([exit, talk]).toEqual([4, expect.stringMatching(threeLines('file_unreadable'))])
    }
  })
})
