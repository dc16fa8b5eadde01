/** A text of at most so many characters; where some were left out, it ends in an ellipsis. */
export function cut(text: string, max: number): string {
  // Cutting may halve a character that takes two places, which no store would take.
  return text.length <= max ? text : `${text.slice(0, max - 1).toWellFormed()}…`
}

/** The same on one line, without blanks around it. */
export function oneLine(text: string, max: number): string {
  // What is far too long is cut before it is looked through.
  return cut(
    text
      .slice(0, max * 8)
      .replaceAll(/\s+/g, ' ')
      .trim(),
    max,
  )
}
