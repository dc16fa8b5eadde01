import { readdirSync, readlinkSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { isThere } from '../../base/looks.ts'
import { readRegularText } from '../../base/read-regular.ts'

const maxDepth = 3
const maxText = 1024 * 1024

/** Settings that name a place and run nothing: where it came from, where its files lie. */
const harmless = /^(?:remote|branch|submodule|url|core\.worktree|core\.excludesfile)\b/

/**
 * What a configuration of git leads to: files that it includes, its folder of hooks, programs that
 * it names by a path. Anyone who changes those changes what git runs later.
 */
export function gitTargets(config: string, folder: string, home?: string, depth = 0): string[] {
  const settings = settingsOf(readRegularText(config, maxText))
  return settings.flatMap(({ name, value }) => {
    if (harmless.test(name)) return []
    const isInclude = /^include(?:if\..*)?\.path$/s.test(name)
    const path = fromHome(value, home)
    if (isInclude) {
      const file = resolve(dirname(config), path)
      const inner = depth < maxDepth ? gitTargets(file, folder, home, depth + 1) : []
      return [file, ...inner]
    }
    if (name === 'core.hookspath') return [resolve(folder, path)]
    const [program = ''] = path.replace(/^!\s*/, '').split(/\s/)
    const file = resolve(folder, program)
    return (program.includes('/') || isAbsolute(program)) && isThere(file) ? [file] : []
  })
}

/** Where hooks lead that are links. */
export function linkedHooks(hooks: string): string[] {
  try {
    return readdirSync(hooks, { withFileTypes: true })
      .filter((entry) => entry.isSymbolicLink())
      .map(({ name }) => resolve(hooks, readlinkSync(join(hooks, name))))
  } catch {
    return []
  }
}

function fromHome(value: string, home: string | undefined): string {
  return home !== undefined && value.startsWith('~/') ? join(home, value.slice(2)) : value
}

interface Setting {
  /** Folded, as git compares it: `section.subsection.key`. */
  readonly name: string
  readonly value: string
}

/** As far as paths need it: one setting a line, quotes removed, comments left out. */
function settingsOf(text: string): Setting[] {
  let section = ''
  return text.split('\n').flatMap((raw) => {
    const line = raw.trim()
    const [head = '', name, inner] =
      /^\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]/.exec(line) ?? []
    if (name !== undefined) section = inner === undefined ? name : `${name}.${inner}`
    const [, key, value] = /^([\w-]+)\s*=\s*(.*)$/.exec(line.slice(head.length).trim()) ?? []
    if (key === undefined || value === undefined) return []
    const plain = value.startsWith('"') ? (/^"((?:[^"\\]|\\.)*)"/.exec(value)?.[1] ?? '') : value
    return [
      { name: `${section}.${key}`.toLowerCase(), value: plain.replace(/\s+[#;].*$/, '').trim() },
    ]
  })
}
