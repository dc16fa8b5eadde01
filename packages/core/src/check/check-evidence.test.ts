import { describe, expect, test } from 'vitest'
import { checkDefinition } from './check-definition.ts'

/** Findings of a workflow whose evidence has these patterns, in a project of these files. */
function found(
  staleAfter: readonly string[] | undefined,
  files: readonly string[] | undefined,
  tools: readonly string[] = ['Read', 'Edit'],
): string[] {
  const definition = {
    id: 'w',
    initial: 'a',
    states: {
      a: { allowed_tools: tools, on: { DONE: { target: 'b', guard: 'green' } } },
      b: { type: 'final' },
    },
    guards: { green: { evidence: 'tests' } },
    evidence: {
      tests: {
        tool: 'Bash',
        command: 'npm test',
        defined_by: ['package.json'],
        ...(staleAfter === undefined ? {} : { stale_after: staleAfter }),
      },
    },
  }
  const options = files === undefined ? {} : { files }
  return checkDefinition(definition, options).findings.map(
    ({ severity, code, path, message }) => `${severity} ${code} ${path.join('.')} ${message}`,
  )
}

const nothing = (path: string, why: string) =>
  `warning evidence_covers_nothing ${path} No edit makes "tests" stale: ${why}`

describe('evidence and the files that make it stale', () => {
  test('WF-31b: evidence that no edit can make stale is warned of', () => {
    const why = 'it has no "stale_after".'
    expect(found(undefined, undefined)).toEqual([nothing('evidence.tests', why)])
    expect(found([], undefined)).toEqual([nothing('evidence.tests', why)])
  })

  test('WF-31b: patterns that match no file of the project are warned of', () => {
    const files = ['sum.js', 'package.json']
    const why = 'no file here matches "stale_after".'
    expect(found(['src/**'], files)).toEqual([nothing('evidence.tests.stale_after', why)])
    expect(found(['*.js'], files)).toEqual([])
  })

  test('WF-31b: a source file that was left out is named', () => {
    const files = ['sum.js', 'lib/more.js', 'test/sum.test.js', 'docs/theme.css']
    expect(found(['test/**'], files)).toEqual([
      'warning evidence_leaves_out evidence ' +
        'Editing "sum.js" (and 1 more) leaves all evidence fresh: no "stale_after" matches.',
    ])
    expect(found(['test/**', '**/*.js'], files)).toEqual([])
  })

  test('WF-31c: the configuration of a known runner is not left out', () => {
    expect(found(['src/**'], ['src/sum.ts', 'vitest.config.ts'])).toEqual([])
    expect(found(['src/**'], ['src/sum.ts', 'webpack.config.ts'])).toHaveLength(1)
  })

  test('WF-31b: nothing is said where nothing may be edited, or no file is known', () => {
    expect(found(undefined, undefined, ['Read', 'Bash'])).toEqual([])
    expect(found(['src/**'], undefined)).toEqual([])
    expect(found(['src/**'], [])).toEqual([])
  })
})
