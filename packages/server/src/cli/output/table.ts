import { printable } from './report.ts'
import { wrapText } from './wrap-text.ts'

export interface Column<Row> {
  readonly title: string
  readonly text: (row: Row) => string
  /** Gives way when the terminal is narrow; the others stay whole. The last one may go on below. */
  readonly gives?: true | 'below'
}

const gap = '  '
const leastWidth = 8

/** Lays rows out in columns. On a terminal nothing is wider than it; in a pipe nothing is cut. */
export function table<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  width: number | undefined,
): string {
  const cells = rows.map((row) => columns.map((column) => printable(column.text(row))))
  const lines = [columns.map((column) => column.title), ...cells]
  const widths = columns.map((_, index) =>
    Math.max(...lines.map((line) => lengthOf(line[index] ?? ''))),
  )
  if (width !== undefined) shrink(widths, columns, width)
  const last = columns.length - 1
  const goesBelow = columns[last]?.gives === 'below'
  return lines
    .flatMap((line) => (goesBelow ? brokenAt(line, last, widths[last] ?? 0) : [line]))
    .map((line) =>
      line
        .map((text, index) => fit(text, widths[index] ?? 0))
        .join(gap)
        .trimEnd(),
    )
    .join('\n')
}

/** A row whose last cell is too long, as several rows with nothing before it. */
function brokenAt(line: readonly string[], last: number, width: number): string[][] {
  const [first = '', ...rest] = wrapText(line[last] ?? '', width, '')
  const before = line.slice(0, last)
  return [[...before, first], ...rest.map((text) => [...before.map(() => ''), text])]
}

/** The width to keep to: the terminal's, or none when the output goes elsewhere. */
export function terminalWidth(): number | undefined {
  return process.stdout.isTTY === true ? Math.max(40, process.stdout.columns || 80) : undefined
}

function shrink<Row>(widths: number[], columns: readonly Column<Row>[], width: number): void {
  const total = () => widths.reduce((sum, one) => sum + one, 0) + gap.length * (widths.length - 1)
  while (total() > width) {
    const widest = columns
      .map((column, index) => ({
        index,
        width: column.gives !== undefined ? (widths[index] ?? 0) : 0,
      }))
      .reduce((left, right) => (right.width > left.width ? right : left))
    if (widest.width <= leastWidth) return
    widths[widest.index] = Math.max(leastWidth, widest.width - (total() - width))
  }
}

function fit(text: string, width: number): string {
  const characters = [...text]
  if (characters.length > width) return `${characters.slice(0, width - 1).join('')}…`
  return text + ' '.repeat(width - characters.length)
}

function lengthOf(text: string): number {
  return [...text].length
}
