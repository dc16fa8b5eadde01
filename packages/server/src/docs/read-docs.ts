import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface DocPage {
  /** As in the address below `/docs`: `concepts`, `reference/workflow`; empty for the first. */
  readonly name: string
  readonly title: string
  readonly text: string
}

/** In the package that people install they lie beside the code, in the repository above it. */
const places = ['../../docs/', '../../../../docs/'].map((place) =>
  fileURLToPath(new URL(place, import.meta.url)),
)

let known: ReadonlyMap<string, DocPage> | undefined

/** Guide and reference by name, read when first asked for. */
export function docPages(): ReadonlyMap<string, DocPage> {
  known ??= new Map([...read('guide', ''), ...read('reference', 'reference/')])
  return known
}

function read(folder: string, before: string): [string, DocPage][] {
  const place = places.map((one) => join(one, folder)).find((one) => existsSync(one))
  if (place === undefined) return []
  return readdirSync(place)
    .filter((file) => file.endsWith('.md'))
    .sort()
    .map((file) => {
      const text = readFileSync(join(place, file), 'utf8')
      const name = file === 'README.md' ? before.replace(/\/$/, '') : before + file.slice(0, -3)
      const title = /^# (.+)$/m.exec(text)?.[1] ?? name
      return [name, { name, title, text }]
    })
}
