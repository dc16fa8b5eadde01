import { join } from 'node:path'

const maxVariants = 4
const maxRounds = 6
const maxLength = 20_000

/**
 * The command with variables in it replaced by what they are known to be: what the text itself
 * gives them, what a form such as `${X:-word}` falls back to, what the environment has. It is a
 * guess, judged beside the command as it is written: by a guess nothing is let through.
 */
export function expandedCommands(text: string, homes: readonly string[]): string[] {
  if (!/[$~]|[?*+@!]\(|\bcd\b/.test(text) || text.length > maxLength) return []
  const given = assignments(text)
  const count = Math.min(maxVariants, Math.max(1, ...[...given.values()].map((all) => all.length)))
  const variants = Array.from({ length: count }, (_, index) => {
    const own = new Map([...given].map(([name, all]) => [name, all[index] ?? all.at(-1) ?? '']))
    return expanded(text, own, homes)
  })
  return [...new Set(variants)].filter((one) => one !== text && one.length <= maxLength)
}

const assignment = /(?:^|[\s;&|(])([A-Za-z_]\w*)=("[^"]*"|'[^']*'|[^\s;|&)]*)/g

function assignments(text: string): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const [, name = '', value = ''] of text.matchAll(assignment)) {
    const plain = value.replaceAll(/["']/g, '')
    found.set(name, [...(found.get(name) ?? []), plain])
  }
  for (const [, words = ''] of text.matchAll(/\bset\s+--\s+([^;|&\n]+)/g)) {
    for (const [index, word] of words.trim().split(/\s+/).entries()) {
      const name = String(index + 1)
      found.set(name, [...(found.get(name) ?? []), word.replaceAll(/["']/g, '')])
    }
  }
  return found
}

function expanded(text: string, own: ReadonlyMap<string, string>, homes: readonly string[]) {
  let now = moved(text, own)
  for (let round = 0; round < maxRounds; round++) {
    const next = now
      .replaceAll(withWord, (_, name: string, sign: string, word: string) => {
        return sign.endsWith('+') ? word : (own.get(name) ?? word)
      })
      .replaceAll(plainForm, (whole: string, braced?: string, bare?: string) => {
        const name = braced ?? bare ?? ''
        const value = own.get(name) ?? fromEnvironment(name, homes)
        return value === undefined ? whole : cased(value, whole)
      })
    if (next === now || next.length > maxLength) break
    now = next
  }
  return now.replaceAll(/(?<![$\w])[?*+@!]\([^()]*\)|(?<=\w)[?*+@!]\([^()]*\)/g, '*')
}

/** `${X:-word}` and its kin, the innermost first. */
const withWord = /\$\{(\w+)(:?[-=+?])([^{}]*)\}/g
/** `$X`, `${X}`, and what changes its case or a part of it: paths are compared without case. */
const plainForm = /\$\{!?(\w+)(?:[,^@#%/:][^{}]*)?\}|\$([A-Za-z_]\w*|\d)/g

function cased(value: string, form: string): string {
  if (/,|@L/.test(form)) return value.toLowerCase()
  return /\^|@U/.test(form) ? value.toUpperCase() : value
}

/** Folders that go by a sign, where the text itself says what they are. */
function moved(text: string, own: ReadonlyMap<string, string>): string {
  const [home, here, before] = ['HOME', 'PWD', 'OLDPWD'].map((name) => own.get(name))
  let now = text
  if (home !== undefined) {
    now = now
      .replaceAll(/(?<=^|[\s=:"'])~(?=\/|[\s;|&]|$)/g, () => home)
      .replaceAll(/\bcd(?=\s*(?:[;|&\n]|$))/g, () => `cd ${home}`)
  }
  // With `cdable_vars` a name alone is the folder that it holds.
  if (text.includes('cdable_vars')) {
    now = now.replaceAll(/\bcd\s+(\w+)/g, (_, name: string) => `cd ${own.get(name) ?? name}`)
  }
  const kept = /\bpushd\s+(?:-n\s+)?([^\s;|&-][^\s;|&]*)/.exec(text)?.[1]
  if (kept !== undefined) now = now.replaceAll(/(?<=^|[\s=])~[+-]?\d+/g, () => kept)
  if (here !== undefined) now = now.replaceAll(/(?<=^|[\s=])~\+/g, () => here)
  if (before === undefined) return now
  return now
    .replaceAll(/(?<=^|[\s=])~-/g, () => before)
    .replaceAll(/\bcd\s+-(?=[\s;|&]|$)/g, () => `cd ${before}`)
}

const defaults: Readonly<Record<string, string>> = {
  XDG_STATE_HOME: '.local/state',
  XDG_CONFIG_HOME: '.config',
  XDG_DATA_HOME: '.local/share',
  XDG_CACHE_HOME: '.cache',
}

/** The client's own environment is not told; it is mostly ours. */
function fromEnvironment(name: string, homes: readonly string[]): string | undefined {
  if (name === 'HOME' || name === 'PWD') return undefined
  const value = process.env[name]
  if (value?.startsWith('/') === true && !value.includes(':')) return value
  const inHome = Object.hasOwn(defaults, name) ? defaults[name] : undefined
  return inHome === undefined || homes[0] === undefined ? undefined : join(homes[0], inHome)
}
