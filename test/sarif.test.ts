import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import formats from 'ajv-formats'
import { afterAll, describe, expect, test } from 'vitest'
import { claudeSession } from '../packages/server/src/transcripts/fixtures.test-kit.ts'
import { type CommandResult, runHosted } from '../packages/server/testing/hosted-command.ts'
import { patience } from '../packages/server/testing/testbed.ts'

/** Every report of ours, held against the official schema of SARIF 2.1.0. */
const folder = mkdtempSync(join(tmpdir(), 'statewright-sarif-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const schemaFile = '@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json'
// Draft 4, whose words that it uses mean the same today; it refers to nothing but itself.
const {
  $schema: _draft,
  id: _id,
  ...schema
} = JSON.parse(readFileSync(createRequire(import.meta.url).resolve(schemaFile), 'utf8'))
const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false })
formats.default(ajv)
const isValid = ajv.compile(schema)

function faultsOf(report: unknown): string[] {
  if (isValid(report)) return []
  return (isValid.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}

function run(...args: string[]): Promise<CommandResult> {
  const environment = { ...process.env, CLAUDE_CONFIG_DIR: join(folder, '.claude') }
  return runHosted({ args, cwd: folder, environment })
}

const faulty = `id: faulty
initial: a
states:
  a:
    allowed_tolls: [Read]
    on: { GO: nowhere }
  lost: { on: { GO: b } }
  b: { type: final }
`
const refuted = `id: ship
initial: a
states:
  a: { on: { GO: b } }
  b: { type: final }
`
// The name has what an address spells in its own way.
writeFileSync(join(folder, 'faulty #1 ü.yaml'), faulty)
writeFileSync(join(folder, 'large.yaml'), 'x'.repeat(2 * 1024 * 1024))
writeFileSync(join(folder, 'ship.yaml'), refuted)
writeFileSync(
  join(folder, 'ship.scenarios.yaml'),
  'definition: ship.yaml\nclaims:\n  - name: never b\n    never: { enter: b }\n',
)

claudeSession(folder)

const reports: readonly [string, readonly string[], number, number][] = [
  ['WF-3a', ['workflow', 'check', 'faulty #1 ü.yaml', 'large.yaml', '--sarif'], 3, 2],
  ['WF-3a', ['workflow', 'check', 'ship.yaml', '--sarif'], 0, 0],
  ['PV-10', ['workflow', 'prove', 'ship.yaml', '--sarif'], 3, 1],
  ['RP-20', ['replay', '--claude-code', '--template', 'bugfix', '--sarif'], 3, 1],
]

describe('a SARIF report', () => {
  test.each(reports)(
    '%s: of %j is valid by the official schema',
    patience,
    async (_, args, exit, least) => {
      const ran = await run(...args)
      const report = JSON.parse(ran.out)
      expect([ran.exit, faultsOf(report)]).toEqual([exit, []])
      const [{ results, tool }] = report.runs
      expect(results.length).toBeGreaterThanOrEqual(least)
      // Each result names a rule that is told beside it.
      for (const { ruleId, ruleIndex } of results) {
        expect(tool.driver.rules[ruleIndex]?.id).toBe(ruleId)
      }
    },
  )

  test('WF-3a: of findings has file, line, column and path', patience, async () => {
    const ran = await run('workflow', 'check', 'faulty #1 ü.yaml', '--sarif')
    const [{ results }] = JSON.parse(ran.out).runs
    const unknown = results.find(({ ruleId }: { ruleId: string }) => ruleId === 'unknown_field')
    expect(unknown).toMatchObject({
      level: 'error',
      message: { text: 'Unknown field "allowed_tolls". Did you mean "allowed_tools"?' },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: 'faulty%20%231%20%C3%BC.yaml' },
            region: { startLine: 5, startColumn: 5 },
          },
          logicalLocations: [{ fullyQualifiedName: 'states.a.allowed_tolls' }],
        },
      ],
    })
  })

  test('WF-3a: is one format; two are refused', patience, async () => {
    const { exit, talk } = await run('workflow', 'check', 'ship.yaml', '--sarif', '--json')
    expect([exit, talk]).toEqual([2, expect.stringContaining('--sarif')])
  })

  test('WF-3a: that the schema does not take is seen', () => {
    expect(faultsOf({ version: '2.1.0', runs: [{ results: [] }] })).not.toEqual([])
  })
})
