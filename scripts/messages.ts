// Prints every text that a person or an agent can read: its kind, its codes, where it is written
// and its words. Words behind the command choose: only what holds one of them is printed.
import { messages } from './messages/all.ts'

const words = process.argv.slice(2)
const lines = messages()
  .map(({ kind, codes, path, line, text }) =>
    [kind, codes.join(',') || '-', `${path}:${line}`, text.replaceAll('\n', '\\n')].join('\t'),
  )
  .filter((line) => words.length === 0 || words.some((word) => line.includes(word)))
process.stdout.write(lines.map((line) => `${line}\n`).join(''))
