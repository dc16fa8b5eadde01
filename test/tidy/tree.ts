import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A file of the repository, or one made up to show that a check can fail. */
export interface TextFile {
  /** From the root of the repository, with `/`. */
  readonly path: string
  readonly text: string
}

/** What a check complains of. A list of these is compared with the empty list. */
export interface Complaint {
  readonly path: string
  readonly line: number
  readonly message: string
}

export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')

const skipped = new Set(['.git', 'node_modules', 'dist', 'build', 'coverage', '.cache'])
const textEndings = /\.(ts|tsx|mjs|js|json|jsonl|md|yaml|yml|css|html|txt|sh)$|(^|\/)(run|LICENSE)$/

/** Every text file of the repository that could be checked in. */
export function readTree(from: string = root): TextFile[] {
  return readdirSync(from, { withFileTypes: true })
    .filter((entry) => !skipped.has(entry.name))
    .flatMap((entry) => {
      const path = join(from, entry.name)
      if (entry.isDirectory()) return readTree(path)
      if (!entry.isFile() || !textEndings.test(path)) return []
      return [
        { path: relative(root, path).replaceAll('\\', '/'), text: readFileSync(path, 'utf8') },
      ]
    })
}

/** TypeScript and JavaScript that people write; data copied in for tests is no source. */
export function isSource(path: string): boolean {
  return /\.(ts|tsx|mjs)$/.test(path) && !isData(path)
}

/** Copied or generated text, which nobody shapes by hand. */
export function isData(path: string): boolean {
  return /(^|\/)(fixtures|generated)\//.test(path) || /^(schema\/|package-lock)/.test(path)
}

export function isTest(path: string): boolean {
  return /\.test(-kit)?\.tsx?$|^packages\/\w+\/testing\/|^test\//.test(path)
}

export function lineOf(text: string, offset: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) {
    line++
  }
  return line
}

/** Complaints as lines that an editor can jump to. */
export function shown(complaints: readonly Complaint[]): string[] {
  return complaints.map((one) => `${one.path}:${one.line} ${one.message}`)
}
