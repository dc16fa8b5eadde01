import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface DocPage {
  /** As in the address below `/docs`: `concepts`, `reference/workflow`; empty for the first. */
  readonly name: string
  readonly title: string
  readonly text: string
  /** The heading of the contents under which it is named. */
  readonly section?: string
}

/** In the package that people install they lie beside the code, in the repository above it. */
const bases = ['../../docs/', '../../../../docs/'].map((base) =>
  fileURLToPath(new URL(base, import.meta.url)),
)

let known: ReadonlyMap<string, DocPage> | undefined

/** Guide and reference by name, read when first asked for. */
export function docPages(): ReadonlyMap<string, DocPage> {
  known ??= new Map([...read('guide', ''), ...read('reference', 'reference/')])
  return known
}

function read(folder: string, before: string): [string, DocPage][] {
  const base = folderFor(folder)
  if (base === undefined) return []
  const files = readdirSync(base).filter((file) => file.endsWith('.md'))
  const texts = new Map(files.map((file) => [file, readFileSync(join(base, file), 'utf8')]))
  const sections = sectionsOf(texts.get('README.md') ?? '')
  return inOrder(texts).map(([file, text]) => {
    const name = file === 'README.md' ? before.replace(/\/$/, '') : before + file.slice(0, -3)
    const title = /^# (.+)$/m.exec(text)?.[1] ?? name
    const section = sections.get(file)
    return [name, { name, title, text, ...(section === undefined ? {} : { section }) }]
  })
}

/** By file, the heading of the contents under which a page is named in the table. */
function sectionsOf(contents: string): Map<string, string> {
  const sections = new Map<string, string>()
  let section = ''
  for (const line of contents.split('\n')) {
    section = /^## (.+)$/.exec(line)?.[1] ?? section
    const file = /^\| \[[^\]]+\]\(([\w-]+\.md)\)/.exec(line)?.[1]
    if (file !== undefined) sections.set(file, section)
  }
  return sections
}

/** The contents first, then the pages as the contents name them: they build on one another. */
function inOrder(texts: ReadonlyMap<string, string>): [string, string][] {
  const named = [...sectionsOf(texts.get('README.md') ?? '').keys()]
  const rest = [...texts.keys()].sort().filter((file) => !named.includes(file))
  const files = rest.includes('README.md') ? ['README.md', ...named, ...rest] : [...named, ...rest]
  return [...new Set(files)].flatMap((file) => {
    const text = texts.get(file)
    return text === undefined ? [] : [[file, text]]
  })
}

/** A picture that a page shows; nothing else can be asked for. */
export function docImage(name: string): Uint8Array<ArrayBuffer> | undefined {
  const base = folderFor('images')
  const isShown = [...docPages().values()].some(({ text }) => text.includes(`images/${name})`))
  if (base === undefined || !isShown || !/^[\w-]+\.(png|svg)$/.test(name)) return undefined
  const file = join(base, name)
  return existsSync(file) ? new Uint8Array(readFileSync(file)) : undefined
}

function folderFor(folder: string): string | undefined {
  return bases.map((one) => join(one, folder)).find((one) => existsSync(one))
}
