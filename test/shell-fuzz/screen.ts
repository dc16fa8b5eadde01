import { grammar } from './grammar.ts'

/**
 * Which lines may run where no cage holds them: only those whose every word is one of the
 * grammar's, and that name no path beyond their folder. `kill -9 -1` would end every process of
 * the user, and a list of what is forbidden would miss the next such line.
 */
export function mayRunUncaged(line: string): boolean {
  const letters = line.match(/[A-Za-z]+/g) ?? []
  if (!letters.every((run) => vocabulary.has(run))) return false
  const withoutSinks = line.replaceAll('/dev/null', '').replaceAll('/dev/stdin', '')
  if (/[/~]|\.\.(?!c})|\$_|\\[xu0-7]/.test(withoutSinks.replaceAll(/\{\w\.\.\w\}/g, '')))
    return false
  return !withoutGuard.test(line)
}

/** What the grammar knows, but what is only harmless behind walls. */
const withoutGuard = new RegExp(
  String.raw`\b(?:PATH|HOME|PWD|BASH|HISTFILE|history|enable|ulimit|umask|cd|hash|env)\b` +
    String.raw`|\b(?:find|kill)\b` +
    String.raw`|\bexec\s+-|\bcommand\s+-p`,
)

const vocabulary: ReadonlySet<string> = new Set(
  Object.values(grammar)
    .flat()
    .flatMap((text) => text.replaceAll(/‹[^›]*›/g, ' ').match(/[A-Za-z]+/g) ?? [])
    .concat('q'),
)
