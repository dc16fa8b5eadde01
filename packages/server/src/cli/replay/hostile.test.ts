import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { programTable } from '@statewright/core/internal'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { templates } from '../../templates/read-templates.ts'
import { transcriptReaders } from '../../transcripts/readers.ts'
import { markdownReport } from './markdown-report.ts'
import { playTranscripts } from './play-transcripts.ts'
import { replayRules } from './rules.ts'
import { sarifReport } from './sarif-report.ts'
import { terminalReport } from './terminal-report.ts'

const folder = mkdtempSync(join(tmpdir(), 'statewright-hostile-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const hidden = /[\u0000-\u0009\u000b-\u001f\u007f\u202e]/
const isLong = process.env.STATEWRIGHT_TEST_LONG !== undefined
const patience = { timeout: isLong ? 1_200_000 : 120_000 }

const oddText = fc.oneof(
  fc.constantFrom('', '__proto__', 'constructor', '\u0000', '\u001b[2J', '..', '/', '/srv/shop'),
  fc.string({ unit: 'binary', maxLength: 20 }),
)
const command = fc.oneof(
  fc.constantFrom(
    'npm test',
    'git commit -am x',
    'rm -rf /',
    'cd x && (',
    '$(',
    '<<<',
    'a'.repeat(9999),
  ),
  oddText,
)
const input = fc.oneof(
  fc.record({ command }),
  fc.record({ file_path: oddText, old_string: oddText, new_string: oddText }),
  fc.record({ file_path: oddText, content: oddText }),
  fc.record({ edits: fc.array(fc.jsonValue({ maxDepth: 3 })), file_path: oddText }),
  fc.jsonValue({ maxDepth: 4 }),
  oddText,
)
const id = fc.constantFrom('t1', 't2', 't3', '__proto__', 'constructor')
const tool = fc.oneof(
  fc.constantFrom('Bash', 'Edit', 'Write', 'Read', 'apply_patch', 'mcp__x__y', 'mcp____', 'Task'),
  oddText,
)
const line = fc.oneof(
  fc.record({
    type: fc.constantFrom('assistant', 'user', 'x'),
    timestamp: fc.oneof(
      fc.constantFrom('2026-03-01T10:00:00Z', 'never', -1, 1e308),
      fc.jsonValue(),
    ),
    cwd: fc.oneof(oddText, fc.jsonValue({ maxDepth: 1 })),
    isSidechain: fc.boolean(),
    message: fc.record({
      content: fc.array(
        fc.oneof(
          fc.record({ type: fc.constant('tool_use'), id, name: tool, input }),
          fc.record({
            ...{ type: fc.constant('tool_result'), tool_use_id: id },
            ...{
              is_error: fc.boolean(),
              content: fc.oneof(oddText, fc.jsonValue({ maxDepth: 2 })),
            },
          }),
          fc.jsonValue({ maxDepth: 2 }),
        ),
        { maxLength: 3 },
      ),
    }),
    toolUseResult: fc.jsonValue({ maxDepth: 2 }),
  }),
  fc.jsonValue({ maxDepth: 3 }),
)

describe('whatever stands in a transcript', () => {
  test('RP-25: is replayed under any template, and every call is counted', patience, async () => {
    const names = templates().map(({ name }) => name)
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { maxLength: 12 }),
        fc.constantFrom(...names),
        async (values, template) => {
          const text = values.map((value) => `${JSON.stringify(value)}\n`).join('')
          writeFileSync(join(folder, 's.jsonl'), text)
          const rules = replayRules({ template })
          if (!rules.ok) throw new Error(rules.error.message)
          let calls = 0
          const { report } = await playTranscripts({
            ...{ sources: [{ reader: transcriptReaders['claude-code'], folder }], since: 0 },
            ...{ rules: rules.value, programs: programTable({}), isStopped: () => false },
            onProgress: (progress) => {
              calls = progress.calls
            },
          })
          const { decisions, same, undecided, differences } = report
          const differing = Object.values(differences).reduce((all, one) => all + one, 0)
          expect(decisions).toBeLessThanOrEqual(calls)
          expect(same + undecided + differing).toBe(decisions)
          const title = {
            rules: rules.value,
            source: 'x',
            since: 0,
            unit: 'session',
            foot: [],
          } as const
          // Nothing that would move a cursor gets through.
          for (const render of [terminalReport, markdownReport, sarifReport])
            expect(render(report, title)).not.toMatch(hidden)
        },
      ),
      { numRuns: isLong ? 10_000 : 150 },
    )
  })
})
