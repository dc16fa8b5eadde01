import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { patience, type Ready, Testbed } from '../packages/server/testing/testbed.ts'
import { asShown, type Shown, shownCommands, typeAtTerminal } from './support/shown-commands.ts'

/**
 * The guide is played as a reader would: all pages in their order, in one folder, at a terminal,
 * with the configuration that `init` wrote, one login and one PIN.
 */
const root = fileURLToPath(new URL('..', import.meta.url))
const folder = join(root, 'docs', 'guide')
const contents = readFileSync(join(folder, 'README.md'), 'utf8')
const pages = [...contents.matchAll(/^\| \[[^\]]+\]\(([\w-]+\.md)\)/gm)].map(
  ([, name = '']) => name,
)

interface Block {
  readonly language: string
  readonly text: string
  /** The name in its first comment, `# file: bugfix.yaml`, under which it is saved. */
  readonly file?: string
}

function blocksOf(name: string): Block[] {
  const page = readFileSync(join(folder, name), 'utf8')
  return [...page.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, language = '', text = '']) => {
    const file = /^(?:---\n)?(?:#|\/\/) file: (\S+)\n/.exec(text)?.[1]
    return { language, text, ...(file === undefined ? {} : { file }) }
  })
}

const testbed = new Testbed()
afterAll(() => testbed.close())

let ready: Ready | undefined
/** What each page's commands said, in their order. */
const answers = new Map<string, string[]>()

/** The same text with the address and the link of the server that really runs. */
function here(text: string): string {
  if (ready === undefined) return text
  return text
    .replaceAll('http://localhost:4747/login/…', ready.login)
    .replaceAll('http://127.0.0.1:4747', ready.url)
}

async function type(shown: readonly Shown[]): Promise<string[]> {
  if (shown.length === 0) return []
  return typeAtTerminal(
    testbed,
    shown.map(({ command }) => here(command)),
  )
}

function save({ file, text }: Block): void {
  if (file === undefined) return
  const path = join(testbed.project, file)
  // What a page adds to the configuration of the reader is looked at by itself, below.
  if (file === 'statewright.yaml' && existsSync(path)) return
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

/** A page from top to bottom: its files are saved, its commands typed, its server started. */
async function play(name: string): Promise<string[]> {
  const output: string[] = []
  // A variable of one block is used in the next.
  let typed: Shown[] = []
  for (const block of blocksOf(name)) {
    save(block)
    if (block.language === 'console') typed.push(...shownCommands(block.text))
    if (block.language !== 'text' || block.text.trim() !== 'statewright up') continue
    output.push(...(await type(typed)))
    typed = []
    ready = (await testbed.up()).ready
  }
  output.push(...(await type(typed)))
  return output
}

beforeAll(async () => {
  mkdirSync(join(testbed.project, '.git'))
  symlinkSync(join(root, 'node_modules'), join(testbed.project, 'node_modules'))
  // The reader has the client that the guide installs.
  const claude = join(testbed.folder, 'bin', 'claude')
  mkdirSync(dirname(claude), { recursive: true })
  writeFileSync(claude, '#!/bin/sh\n')
  chmodSync(claude, 0o755)
  for (const name of pages) answers.set(name, await play(name))
}, 4 * patience.timeout)

test('the guide has every page in its table, and begins with strict mode', () => {
  const all = readdirSync(folder).filter((name) => name.endsWith('.md') && name !== 'README.md')
  expect([...pages].sort()).toEqual(all.sort())
  expect(readFileSync(join(testbed.project, 'statewright.yaml'), 'utf8')).toContain('strict: true')
})

describe.each(pages)('the guide, %s', (name) => {
  const blocks = blocksOf(name)
  const shown = blocks
    .filter(({ language }) => language === 'console')
    .flatMap(({ text }) => shownCommands(text))

  test('says of every block what it is', () => {
    const known = ['yaml', 'json', 'ts', 'js', 'sh', 'markdown', 'console', 'text']
    expect(blocks.filter(({ language }) => !known.includes(language))).toEqual([])
  })

  if (shown.length > 0) {
    test.each(shown.map((one, index) => ({ ...one, index })))(
      'is true about: $command',
      ({ answer, index }) => {
        // What a question leaves behind it on the line is not seen.
        const output = answers.get(name)?.[index]?.replaceAll(/ +$/gm, '').trim()
        expect(output).toMatch(asShown(here(answer)))
      },
    )
  }

  const definitions = blocks.filter(
    ({ language, text }) => ['yaml', 'json'].includes(language) && /^\s*"?states"?:/m.test(text),
  )
  if (definitions.length > 0) {
    test.each(definitions)('its definition $file checks clean', patience, async ({ file }) => {
      // Without a name it would not be saved, and nothing would be held against it.
      expect(file).toBeDefined()
      const checked = await testbed.hosted(['workflow', 'check', file ?? ''])
      expect([checked.exit, checked.out]).toEqual([0, ''])
    })
  }

  const configurations = blocks.filter(({ file }) => file === 'statewright.yaml')
  if (configurations.length > 0) {
    test.each(configurations)('its configuration can be read', patience, async ({ text }) => {
      const other = join(testbed.folder, `config-${name}`)
      mkdirSync(other)
      writeFileSync(join(other, 'statewright.yaml'), text)
      const read = await testbed.hosted(['config', 'show'], {}, other)
      expect([read.exit, read.talk]).toEqual([0, expect.not.stringContaining('config_invalid')])
    })
  }

  const programs = blocks.filter(({ language, file }) => language === 'ts' && file !== undefined)
  if (programs.length > 0) {
    test.each(programs)('its program $file runs', patience, ({ file }) => {
      const options = { cwd: testbed.project, encoding: 'utf8', timeout: 60_000 } as const
      const ran = spawnSync(process.execPath, [join(testbed.project, file ?? '')], options)
      expect([ran.status, ran.stderr]).toEqual([0, ''])
    })
  }

  const values = blocks.filter(({ language }) => language === 'json')
  if (values.length > 0) {
    test.each(values)('its JSON is JSON', ({ text }) => {
      expect(() => JSON.parse(text)).not.toThrow()
    })
  }
})
