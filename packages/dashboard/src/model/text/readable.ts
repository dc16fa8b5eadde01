import { isJsonText } from './edit-text.ts'

/** A definition that a program sent comes as one long line of JSON; people read several. */
export function readableText(text: string): string {
  if (!isJsonText(text) || text.trim().includes('\n')) return text
  try {
    return `${JSON.stringify(JSON.parse(text), null, 2)}\n`
  } catch {
    return text
  }
}
