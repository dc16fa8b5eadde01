import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { docExamples, pageExamples, publicNames, root, textOf } from './support/doc-examples.ts'

/** Every program that people copy compiles under strict settings, and prints what it says. */
const sources = globSync('packages/{core,server}/src/**/*.ts', { cwd: root })
const pages = [
  'README.md',
  'packages/core/README.md',
  'packages/server/README.md',
  'docs/guide/library.md',
]
const doors = ['packages/core/src/index.ts', 'packages/core/src/shell/index.ts']

const examples = [...sources.sort().flatMap(docExamples), ...pages.flatMap(pageExamples)]
const folder = mkdtempSync(join(tmpdir(), 'statewright-examples-'))
const fileOf = (index: number) => `example-${index}.ts`
/** What each of them printed, or how it failed. */
let printed: readonly (readonly string[] | string)[] = []

const settings = {
  compilerOptions: {
    target: 'ES2024',
    module: 'NodeNext',
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    // Our packages are read as sources here.
    allowImportingTsExtensions: true,
    types: ['node'],
  },
}

/** All in one process: an example that throws is told by its own line. */
const player = `
const lines = []
for (const file of process.argv.slice(2)) {
  const said = []
  console.log = (...words) => said.push(words.join(' '))
  try {
    await import(file)
    lines.push(said)
  } catch (fault) {
    lines.push(String(fault))
  }
}
process.stdout.write(JSON.stringify(lines))
`

beforeAll(() => {
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings))
  writeFileSync(join(folder, 'play.mjs'), player)
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  for (const [index, { code }] of examples.entries()) {
    // A type alone prints nothing; it is a module all the same.
    writeFileSync(join(folder, fileOf(index)), `${code}\nexport {}\n`)
  }
  const [, yaml = ''] = /```yaml\n([\s\S]*?)```/.exec(textOf('README.md')) ?? []
  writeFileSync(join(folder, 'bugfix.yaml'), yaml)
  const files = examples.map((_, index) => join(folder, fileOf(index)))
  const options = { cwd: folder, encoding: 'utf8', timeout: 100_000 } as const
  const ran = spawnSync(process.execPath, ['play.mjs', ...files], options)
  printed = JSON.parse(ran.stdout)
})
afterAll(() => rmSync(folder, { recursive: true }))

describe('the programs in our documentation', () => {
  test('compile', () => {
    const ran = spawnSync('tsc', ['-p', '.'], { cwd: folder, encoding: 'utf8' })
    const named = ran.stdout.replaceAll(/^example-(\d+)\.ts/gm, (_, index) => {
      return examples[Number(index)]?.name ?? ''
    })
    expect(named).toBe('')
  })

  test.each(examples.map((example, index) => ({ ...example, index })))(
    '$name prints what it says',
    ({ index, printed: output }) => {
      const real = printed[index]
      // A program that says nothing of what it prints only has to run.
      expect(output.length === 0 && Array.isArray(real) ? [] : real).toEqual(output)
    },
  )

  test.each(doors.flatMap(publicNames))('$name has an example', ({ name, doc }) => {
    expect(doc).toMatch(new RegExp(`@example\\nimport .*\\b${name}\\b.* from`))
  })
})
