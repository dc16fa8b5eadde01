import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Place, patience } from './server-kit.ts'
import { asShown, shownCommands, typeCommands } from './support/shown-commands.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = join(root, 'docs', 'guide')
const pages = readdirSync(folder).filter((name) => name.endsWith('.md'))

interface Block {
  readonly language: string
  readonly text: string
  /** The name in its first comment, `# file: bugfix.yaml`, under which it is saved. */
  readonly file?: string
}

function blocksOf(page: string): Block[] {
  return [...page.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, language = '', text = '']) => {
    const file = /^(?:#|\/\/) file: (\S+)\n/.exec(text)?.[1]
    return { language, text, ...(file === undefined ? {} : { file }) }
  })
}

/** A page is played from top to bottom: its files are saved, its commands typed. */
describe.each(pages)('the guide, %s', (name) => {
  const page = readFileSync(join(folder, name), 'utf8')
  const blocks = blocksOf(page)
  const console = blocks.filter(({ language }) => language === 'console')
  const shown = console.flatMap(({ text }) => shownCommands(text))
  const place = new Place()
  let answers: readonly string[] = []
  afterAll(() => place.close())

  beforeAll(async () => {
    mkdirSync(join(place.project, '.git'))
    symlinkSync(join(root, 'node_modules'), join(place.project, 'node_modules'))
    for (const { file, text } of blocks) {
      if (file === undefined) continue
      mkdirSync(dirname(join(place.project, file)), { recursive: true })
      writeFileSync(join(place.project, file), text)
    }
    if (shown.length === 0) return
    const environment: Record<string, string> = {}
    if (page.includes('<!-- needs a server -->')) {
      const { ready } = await place.up('--test-person')
      environment.STATEWRIGHT_URL = ready.url
      environment.STATEWRIGHT_TOKEN = ready.person_token ?? ''
    }
    const commands = shown.map(({ command }) => command)
    answers = await typeCommands(place, commands, environment)
  }, patience.timeout)

  test('says of every block what it is', () => {
    const known = ['yaml', 'json', 'ts', 'console', 'text']
    expect(blocks.filter(({ language }) => !known.includes(language))).toEqual([])
  })

  if (shown.length > 0) {
    test.each(shown.map((one, index) => ({ ...one, index })))(
      'is true about: $command',
      ({ answer, index }) => {
        expect(answers[index]?.trim()).toMatch(asShown(answer))
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
      const checked = await place.run(['workflow', 'check', file ?? ''])
      expect([checked.exit, checked.out]).toEqual([0, ''])
    })
  }

  const programs = blocks.filter(({ language, file }) => language === 'ts' && file !== undefined)
  if (programs.length > 0) {
    test.each(programs)('its program $file runs', patience, ({ file }) => {
      const options = { cwd: place.project, encoding: 'utf8', timeout: 60_000 } as const
      const ran = spawnSync(process.execPath, [join(place.project, file ?? '')], options)
      expect([ran.status, ran.stderr]).toEqual([0, ''])
    })
  }

  test.each(blocks.filter(({ language }) => language === 'json'))(
    'its JSON is JSON',
    ({ text }) => {
      expect(() => JSON.parse(text)).not.toThrow()
    },
  )
})
