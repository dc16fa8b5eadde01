import { basename } from 'node:path'

/**
 * Names in a makefile that a file of the same name would satisfy: `make check` runs nothing where
 * there is a file `check`. Targets whose recipe makes them are products of the build, and no
 * such names.
 */
export function nameTargets(text: string, goals: readonly string[]): string[] {
  const rules = rulesOf(text)
  const first = rules.keys().next().value
  const waiting = goals.length > 0 ? [...goals] : first === undefined ? [] : [first]
  const found = new Set<string>()
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const rule = rules.get(name)
    if (rule === undefined || found.has(name)) continue
    waiting.push(...rule.needs.filter((need) => !found.has(need)))
    if (!rule.recipe.includes('$@') && !wordsIn(rule.recipe).includes(name)) found.add(name)
  }
  return [...found]
}

interface Rule {
  readonly needs: string[]
  recipe: string
}

function rulesOf(text: string): Map<string, Rule> {
  const rules = new Map<string, Rule>()
  let current: Rule[] = []
  for (const line of text.replaceAll('\\\n', ' ').split('\n')) {
    if (line.startsWith('\t')) {
      for (const rule of current) rule.recipe += `${line}\n`
      continue
    }
    const [, names, rest = ''] = /^([^\s#:=.][^:=#]*):(?!=)(.*)$/.exec(line) ?? []
    if (names === undefined) continue
    const [needs = '', recipe = ''] = rest.split(';')
    current = wordsIn(names).map((name) => {
      const rule = rules.get(name) ?? { needs: [], recipe: '' }
      rule.needs.push(...wordsIn(needs))
      rule.recipe += recipe
      rules.set(name, rule)
      return rule
    })
  }
  return rules
}

function wordsIn(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '' && !word.includes('$'))
}

/** Files that a makefile reads as if they were part of it. */
export function includedFiles(text: string, files: readonly string[]): string[] {
  const words = [...text.matchAll(/^[ ]*[-s]?include[ \t]+(.+)$/gm)].flatMap(([, rest = '']) =>
    rest.split(/\s+/).filter((word) => word !== ''),
  )
  // Which ones a variable or a pattern means, only make could tell.
  const isOpen = words.some((word) => /[$*?[]/.test(word))
  const names = new Set(words.map((word) => word.replace(/^\.\//, '')))
  return files.filter((file) => {
    if (names.has(file)) return true
    return isOpen && /\.(?:d|dep|deps|inc|make|mk)$/.test(basename(file))
  })
}

/** What a compiler writes for make: which file needs which others, and nothing to run. */
export function isPlainDependencies(text: string): boolean {
  const lines = text.replaceAll('\\\n', ' ').split('\n')
  return lines.every((line) => /^(?:[^\s=$#:;][^=$#:;]*:[^=$#:;]*)?\s*$/.test(line))
}
