/** Something the palette offers. */
export interface Command {
  readonly id: string
  readonly name: string
  readonly hint: string
  readonly act: () => void
}

const maxShown = 12

/** What fits the words typed, the best first: at the start of a name, in it, in the hint. */
export function matching(commands: readonly Command[], text: string): readonly Command[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return commands.slice(0, maxShown)
  return commands
    .map((command) => ({ command, rank: rankOf(command, words) }))
    .filter(({ rank }) => rank >= 0)
    .sort((one, other) => other.rank - one.rank)
    .slice(0, maxShown)
    .map(({ command }) => command)
}

function rankOf(command: Command, words: readonly string[]): number {
  const name = command.name.toLowerCase()
  const all = `${name} ${command.hint.toLowerCase()}`
  let rank = 0
  for (const word of words) {
    if (!all.includes(word)) return -1
    if (name.startsWith(word)) rank += 3
    else if (name.includes(word)) rank += 2
    else rank += 1
  }
  return rank
}
