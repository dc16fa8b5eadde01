export function escaped(text: string): string {
  const words: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
  }
  return text.replaceAll(/[&<>"]/g, (character) => words[character] ?? '')
}
