/**
 * Splits an entry such as `npm test` or `git commit -m "a b"` into the words it is compared by.
 * Quotes are removed as a shell would; nothing is expanded, since an entry is text, not a script.
 */
export function splitCommandWords(entry: string): string[] {
  const words: string[] = []
  let word: string | null = null
  let quote: string | null = null
  for (const char of entry) {
    if (quote !== null) {
      if (char === quote) quote = null
      else word += char
    } else if (char === "'" || char === '"') {
      quote = char
      word ??= ''
    } else if (char === ' ' || char === '\t' || char === '\n') {
      if (word !== null) words.push(word)
      word = null
    } else {
      word = (word ?? '') + char
    }
  }
  if (word !== null) words.push(word)
  return words
}
