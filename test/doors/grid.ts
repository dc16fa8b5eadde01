/** The observed answers as Markdown: a line for each door, a column for each row. */
export class Grid {
  readonly #cells = new Map<string, string>()

  set(row: string, door: string, answer: string): void {
    this.#cells.set(`${row}\n${door}`, shortened(answer))
  }

  /** Several tables below each other: all rows beside each other fit on no screen. */
  print(rows: readonly string[], doors: readonly string[], columns = 4): string {
    const pieces: string[] = []
    for (let start = 0; start < rows.length; start += columns) {
      pieces.push(this.#table(rows.slice(start, start + columns), doors))
    }
    return pieces.join('\n\n')
  }

  #table(rows: readonly string[], doors: readonly string[]): string {
    const lines = [
      ['door', ...rows],
      ...doors.map((door) => [
        door,
        ...rows.map((row) => this.#cells.get(`${row}\n${door}`) ?? '–'),
      ]),
    ]
    const widths = (lines[0] ?? []).map((_, index) =>
      Math.max(...lines.map((line) => line[index]?.length ?? 0)),
    )
    const [head, ...body] = lines.map((line) => {
      const cells = line.map((text, index) => text.padEnd(widths[index] ?? 0))
      return `| ${cells.join(' | ')} |`
    })
    const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`
    return [head, rule, ...body].join('\n')
  }
}

const maxLength = 60

function shortened(answer: string): string {
  const line = answer.replaceAll(/\s+/g, ' ').replaceAll('|', '/')
  return line.length > maxLength ? `${line.slice(0, maxLength)}…` : line
}
