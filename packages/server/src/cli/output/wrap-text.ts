/** Breaks a text that is too long for the terminal between its words; every line is indented. */
export function wrapText(text: string, columns: number, indent: string): string[] {
  const lines: string[] = []
  let current = indent
  for (const word of text.split(' ')) {
    if (current.length > indent.length && current.length + word.length > columns) {
      lines.push(current.trimEnd())
      current = indent
    }
    current += `${word} `
  }
  return [...lines, current.trimEnd()]
}
