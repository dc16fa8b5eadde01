import { applyEdits, modify } from 'jsonc-parser'

/** Sets a field in a JSON text; only the lines around it change. */
export function setJsonField(text: string, path: readonly string[], value: unknown): string | null {
  const formattingOptions = { insertSpaces: true, tabSize: stepOf(text), eol: '\n' }
  try {
    return applyEdits(text, modify(text, [...path], value, { formattingOptions }))
  } catch {
    // It throws where the path leads through something that is no object.
    return null
  }
}

/** How far the first member stands in. */
function stepOf(text: string): number {
  return /\n( +)\S/.exec(text)?.[1]?.length ?? 2
}
