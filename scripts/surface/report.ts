import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Declaration, declarationsIn, passedOn } from './declarations.ts'

const root = join(import.meta.dirname, '..', '..')

/** One front door: how it is imported, and the file behind it. */
interface EntryPoint {
  readonly specifier: string
  readonly file: string
  /** Schemas and endpoints are described by OpenAPI: the pins hold their names. */
  readonly onlyNames?: true
}

/** The reports, by the file in `schema/` that holds each. */
export const reports: Readonly<Record<string, readonly EntryPoint[]>> = {
  'core.api.md': [
    { specifier: '@statewright/core', file: 'packages/core/src/index.ts' },
    { specifier: '@statewright/core/shell', file: 'packages/core/src/shell/index.ts' },
    {
      specifier: '@statewright/core/wire',
      file: 'packages/core/src/wire/index.ts',
      onlyNames: true,
    },
  ],
  'sdk.api.md': [{ specifier: 'statewright/sdk', file: 'packages/server/src/sdk/sdk.ts' }],
}

/** Names, kinds and signatures of front doors, as Markdown. */
export function surfaceReport(entries: readonly EntryPoint[]): string {
  const files = new Map<string, ReadonlyMap<string, Declaration>>()
  const open = (path: string) => {
    const known = files.get(path)
    if (known !== undefined) return known
    const read = declarationsIn(path, readFileSync(join(root, path), 'utf8'))
    files.set(path, read)
    return read
  }
  const listed = entries.map((entry) => ({ door: entry, names: namesOf(entry) }))
  const shown = listed.filter(({ door: entry }) => entry.onlyNames !== true)
  const top = shown.flatMap(({ names }) => names.map(({ path, local }) => find(open, path, local)))
  const mentioned = reachable(open, top)
  const pieces = [
    'What other programs may use. Written by `npm run pins`; a test is red when it moves.',
    ...listed.map(({ door: entry, names }) => entryText(open, entry, names)),
    `## Types that these mention\n\n${fenced(mentioned.map(({ text }) => text))}`,
  ]
  const title = entries.map(({ specifier }) => `\`${specifier}\``).join(', ')
  return `# ${title}\n\n${pieces.join('\n\n')}\n`
}

type Open = (path: string) => ReadonlyMap<string, Declaration>

interface Name {
  readonly name: string
  readonly local: string
  readonly path: string
}

/** Every name that a front door gives, in the order of the alphabet. */
export function namesOf(entry: EntryPoint): Name[] {
  const text = readFileSync(join(root, entry.file), 'utf8')
  return passedOn(entry.file, text).sort((one, other) => (one.name < other.name ? -1 : 1))
}

function entryText(open: Open, entry: EntryPoint, names: readonly Name[]): string {
  const title = `## \`${entry.specifier}\`: ${names.length} names`
  if (entry.onlyNames === true) return `${title}\n\nThey stand in [pins.txt](pins.txt).`
  const texts = names.map(({ name, local, path }) => {
    const { text } = find(open, path, local)
    return name === local ? text : `${text}\nexport type { ${local} as ${name} }`
  })
  return `${title}\n\n${fenced(texts)}`
}

function fenced(texts: readonly string[]): string {
  return `\`\`\`ts\n${texts.join('\n\n')}\n\`\`\``
}

function find(open: Open, path: string, name: string): Declaration {
  const found = open(path).get(name)
  if (found === undefined) throw new Error(`${path} declares no ${name}`)
  return found
}

/** What others have to know to write the signatures of `top`, without `top` itself. */
function reachable(open: Open, top: readonly Declaration[]): Declaration[] {
  const seen = new Set(top)
  const found: Declaration[] = []
  // An array hands out what is added while it is walked.
  const waiting = [...top]
  for (const { mentions } of waiting) {
    for (const { path, name } of mentions) {
      const next = open(path).get(name)
      if (next === undefined || seen.has(next)) continue
      seen.add(next)
      found.push(next)
      waiting.push(next)
    }
  }
  return found.sort((one, other) => (one.name < other.name ? -1 : 1))
}
