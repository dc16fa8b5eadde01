import { resolveImport } from './syntax.ts'
import { type Complaint, lineOf, type TextFile } from './tree.ts'

/** Links in Markdown that lead to no file, or to no heading in it. */
export function deadLinks(
  files: readonly TextFile[],
  paths: ReadonlySet<string> = new Set(files.map((file) => file.path)),
): Complaint[] {
  const texts = new Map(files.map((file) => [file.path, file.text]))
  return files
    .filter((file) => file.path.endsWith('.md'))
    .flatMap((file) =>
      linksOf(file.text).flatMap(({ target, line }) => {
        const [path = '', anchor] = target.split('#')
        const wanted = path === '' ? file.path : resolved(file.path, path)
        const complaint = {
          path: file.path,
          line,
          message: `links to ${target}, which is not there`,
        }
        if (!exists(wanted, paths)) return [complaint]
        if (anchor === undefined || !wanted.endsWith('.md')) return []
        return headings(texts.get(wanted) ?? '').has(anchor) ? [] : [complaint]
      }),
    )
}

function linksOf(text: string): { target: string; line: number }[] {
  // Code may hold brackets that are no links; blanks keep the line numbers.
  const prose = text.replace(/```[\s\S]*?```|`[^`\n]*`/g, (code) => code.replace(/[^\n]/g, ' '))
  return [...prose.matchAll(/\[[^\]]*\]\(([^)\s]+)\)/g)]
    .map((match) => ({ target: match[1] ?? '', line: lineOf(text, match.index) }))
    .filter(({ target }) => !/^[a-z]+:/.test(target))
}

function resolved(from: string, target: string): string {
  return (resolveImport(from, `./${target}`) ?? '').replace(/\/$/, '')
}

function exists(path: string, paths: ReadonlySet<string>): boolean {
  return paths.has(path) || [...paths].some((known) => known.startsWith(`${path}/`))
}

function headings(text: string): Set<string> {
  return new Set(
    [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )
}

// Written in pieces, because this file is checked like every other.
const workplaces = [
  new RegExp(`(?<![\\w.-])/${'work'}/`),
  new RegExp(`${'shar'}${'ed'}/(spec|seeds|shell|hooks|style|clients)\\b`),
  new RegExp(`/${'tmp'}/notes\\b`),
]

/** Places on the machine of whoever wrote a file: nobody else has them. */
export function workplacePaths(files: readonly TextFile[]): Complaint[] {
  return files.flatMap((file) =>
    file.text
      .split('\n')
      .flatMap((content, index) =>
        workplaces.some((pattern) => pattern.test(content))
          ? [{ path: file.path, line: index + 1, message: 'names a place outside the repository' }]
          : [],
      ),
  )
}

/** Dependencies for which no decision says why they are here. `reasons` is the list of docs/adr. */
export function unexplainedDependencies(
  manifests: readonly TextFile[],
  reasons: string,
): Complaint[] {
  const explained = new Set([...reasons.matchAll(/^\| `([^`]+)` \|/gm)].map((match) => match[1]))
  return manifests.flatMap(({ path, text }) => {
    const { dependencies = {}, devDependencies = {} }: Manifest = JSON.parse(text)
    return Object.keys({ ...dependencies, ...devDependencies })
      .filter((name) => !name.startsWith('@statewright/') && !explained.has(name))
      .map((name) => ({
        path,
        line: lineOf(text, text.indexOf(`"${name}"`)),
        message: `depends on ${name}, which docs/adr does not explain`,
      }))
  })
}

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}
