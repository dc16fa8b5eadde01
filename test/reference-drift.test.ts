import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { codes, processJsonSchema, workflowJsonSchema } from '@statewright/core/internal'
import { describe, expect, test } from 'vitest'
import { configJsonSchema } from '../packages/server/src/config/schema.ts'
import { referencePages } from '../scripts/reference/pages.ts'
import { runningRoutes } from '../scripts/reference/routes.ts'

const folder = join(import.meta.dirname, '..', 'docs', 'reference')
const written = (name: string) => readFileSync(join(folder, name), 'utf8')

/** Every name under `properties`, wherever it stands: another walk than the page's own. */
function propertyNames(value: unknown, found = new Set<string>()): Set<string> {
  if (typeof value !== 'object' || value === null) return found
  for (const [key, inner] of Object.entries(value)) {
    if (key === 'properties') for (const name of Object.keys(inner)) found.add(name)
    propertyNames(inner, found)
  }
  return found
}

describe('the reference', () => {
  test('is what the code says; "npm run reference" writes it anew', async () => {
    for (const [name, text] of await referencePages()) {
      expect([name, written(name)]).toEqual([name, text])
    }
  })

  test.each([
    ['workflow.md', workflowJsonSchema()],
    ['process.md', processJsonSchema()],
    ['config.md', configJsonSchema()],
  ])('%s leaves out no field', (name, schema) => {
    const text = written(name)
    const missing = [...propertyNames(schema)].filter((field) => {
      return !new RegExp(`[.\`]${field.replace('$', '\\$')}\``).test(text)
    })
    expect(missing).toEqual([])
  })

  test('says of every option of the command line what it means', () => {
    const [, ...rows] = written('cli.md').split('| takes | means |')
    const meanings = rows.join('\n').matchAll(/^\| `([^`]+)` \| *(.*?) *\|$/gm)
    const silent = [...meanings].filter(([, , meaning]) => meaning === '').map(([, name]) => name)
    expect(silent).toEqual([])
    expect(written('cli.md')).toContain('| 5 | a person has to decide first |')
  })

  test('knows every code and every route', async () => {
    const missing = Object.keys(codes).filter(
      (code) => !written('codes.md').includes(`\`${code}\``),
    )
    expect(missing).toEqual([])
    const paths = (await runningRoutes()).map(({ method, path }) => `\`${method} ${path}\``)
    expect(paths.filter((path) => !written('api.md').includes(path))).toEqual([])
  })
})
