import { type Complaint, lineOf, type TextFile } from './tree.ts'

/** The one file that may say a colour or a size. */
const theme = 'packages/dashboard/src/ui/theme.css'

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
    .filter(({ path }) => /^packages\/dashboard\/src\/.*\.css$/.test(path) && path !== theme)
    .filter(({ path }) => !path.endsWith('/font.css'))
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
