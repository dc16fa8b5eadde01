import { answerAt, levels, type Row, sections } from './table.ts'

export const tableHead = ['An agent, or what it starts', ...levels]

/** The lines of the table as they stand in the guide. */
export function shownTable(): string[] {
  return Object.entries(sections).flatMap(([title, rows]) => [
    line([`**${title}**`, ...levels.map(() => '')]),
    ...rows.map((row) => line([row.threat, ...levels.map((level) => cell(row, level))])),
  ])
}

function cell(row: Row, level: (typeof levels)[number]): string {
  const note = row.notes?.[level]
  return note === undefined ? answerAt(row, level) : `${answerAt(row, level)} (${note})`
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`.replaceAll(/ {2,}/g, ' ')
}
