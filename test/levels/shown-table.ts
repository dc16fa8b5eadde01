import { answerAt, levels, type Row, sections } from './table.ts'

export const tableHead = ['An agent, or what it starts', ...levels]

/** What readers of the guide see for an answer. */
const words = {
  holds: 'prevented',
  'does not hold': 'not prevented',
  'asks a person': 'asks a person',
} as const

/** The lines of the table as they stand in the guide. */
export function shownTable(): string[] {
  return Object.entries(sections).flatMap(([title, rows]) => [
    line([`**${title}**`, ...levels.map(() => '')]),
    ...rows.map((row) => line([row.threat, ...levels.map((level) => cell(row, level))])),
  ])
}

function cell(row: Row, level: (typeof levels)[number]): string {
  const note = row.notes?.[level]
  const word = words[answerAt(row, level)]
  return note === undefined ? word : `${word} (${note})`
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`.replaceAll(/ {2,}/g, ' ')
}
