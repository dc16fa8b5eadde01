import { type Complaint, lineOf, type TextFile } from './tree.ts'

/** The one file that may say a colour or a size. */
const theme = 'packages/dashboard/src/ui/theme/theme.css'

const rules: readonly (readonly [pattern: RegExp, message: string])[] = [
  [/#[0-9a-f]{3,8}\b|\brgba?\(|\bhsla?\(/gi, 'a colour that the theme does not name'],
  [/font-size: (?!var\(--text-|inherit)[^;]+/g, 'a size of type outside the scale'],
  [/font-weight: (?!var\(--weight-|inherit|400)[^;]+/g, 'a weight outside the scale'],
  [/(?:gap|padding[\w-]*|margin[\w-]*): [^;]*\drem[^;]*/g, 'a space outside the scale'],
  [/border-radius: (?!var\(--radius|inherit|50%|0\b|20px|10px 10px)[^;]+/g, 'a radius of its own'],
]

/** Sizes and colours of the dashboard that stand in no scale, and so fit nothing beside them. */
export function strayStyles(files: readonly TextFile[]): Complaint[] {
  return files
    .filter((file) => isStyle(file) && file.path !== theme && !file.path.endsWith('/font.css'))
    .flatMap(({ path, text }) =>
      rules.flatMap(([pattern, message]) =>
        [...text.matchAll(pattern)].map(({ 0: found, index }) => ({
          path,
          line: lineOf(text, index),
          message: `${message}: ${found}`,
        })),
      ),
    )
}

/**
 * Classes that two pages style by their name alone. Pages keep the styles of those that were open
 * before, so that such a class looks otherwise depending on where somebody came from.
 */
export function sharedClasses(files: readonly TextFile[]): Complaint[] {
  const owners = new Map<string, string>()
  return files.filter(isStyle).flatMap(({ path, text }) =>
    namesAlone(text).flatMap(({ name, index }) => {
      const owner = owners.get(name) ?? path
      owners.set(name, owner)
      const isClash = owner !== path && [owner, path].some(isOfPage)
      const message = `.${name} is styled by ${owner} as well`
      return isClash ? [{ path, line: lineOf(text, index), message }] : []
    }),
  )
}

function isStyle({ path }: TextFile): boolean {
  return /^packages\/dashboard\/src\/.*\.css$/.test(path)
}

function isOfPage(path: string): boolean {
  return path.includes('/src/pages/')
}

/** Selectors that are one class, perhaps with a pseudo-class behind it. */
function namesAlone(text: string): readonly { readonly name: string; readonly index: number }[] {
  const selector = /(?<=^|[,{};]\s*)\.([a-z][\w-]*)(?::[\w-]+)*(?=\s*[,{])/gm
  return [...text.matchAll(selector)].map(({ 1: name = '', index }) => ({ name, index }))
}
