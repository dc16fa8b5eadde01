import { splitCommandWords } from './command-words.ts'
import type { CommandPattern } from './rules.ts'

/**
 * Reads what stands in `Bash(…)`: `git log *` and `git log:*` cover `git log` with anything
 * behind it or nothing; without a star the words are the whole command (WF-6). Null when there
 * are no words to compare by.
 */
export function parseCommandPattern(text: string): CommandPattern | null {
  const trimmed = text.trim()
  const star = /(?:\s+|:)\*$/.exec(trimmed)
  if (trimmed === '*') return null
  const words = splitCommandWords(star === null ? trimmed : trimmed.slice(0, star.index))
  if (words.length === 0) return null
  return { words, exact: star === null }
}
