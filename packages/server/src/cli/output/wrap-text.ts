/**
 * Breaks a text that is too long for the terminal between its words; every line is indented. A
 * command that is quoted to be copied stays in one line where it fits: pasted with a line end in
 * it, it would be two commands.
 */
export function wrapText(text: string, columns: number, indent: string): string[] {
  const lines: string[] = []
  let current = indent
  for (const word of wordsOf(text, columns - indent.length - 1)) {
    if (current.length > indent.length && current.length + word.length > columns) {
      lines.push(current.trimEnd())
      current = indent
    }
    current += `${word} `
  }
  return [...lines, current.trimEnd()]
}

const joint = '\u0000'

function wordsOf(text: string, room: number): string[] {
  const joined = text.replaceAll(/"statewright [^"]*"/g, (command) =>
    command.length <= room ? command.replaceAll(' ', joint) : command,
  )
  return joined.split(' ').map((word) => word.replaceAll(joint, ' '))
}
