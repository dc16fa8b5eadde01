type Words = readonly (string | null)[]

const valued: ReadonlySet<string> = new Set([
  '-C',
  '-c',
  '--git-dir',
  '--work-tree',
  '--namespace',
  '--exec-path',
  '--config-env',
])

/**
 * The command of git in the words behind `git`. What stands before it moves it along, and does not
 * hide it: `-C` says in which folder it begins.
 */
export function gitWords(words: Words): {
  readonly before: Words
  readonly folder: string
  readonly verb: string | null | undefined
  readonly rest: Words
} {
  let at = 0
  let folder = '.'
  while (words[at]?.startsWith('-')) {
    if (words[at] === '-C') folder = `${folder}/${words[at + 1] ?? ''}`
    at += valued.has(words[at] ?? '') ? 2 : 1
  }
  const [verb, ...rest] = words.slice(at)
  return { before: words.slice(0, at), folder, verb, rest }
}
