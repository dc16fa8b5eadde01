import type { ShellFindings } from '@statewright/core/internal'
import { programOf } from './searched-folders.ts'

/** What package managers would change beyond the project. */
export interface PackageChanges {
  /** Folders, as written, whose packages they change. */
  readonly prefixes: readonly string[]
  readonly isAny: boolean
  /** Our own package is put in, taken out or changed, for everybody. */
  readonly isOurs: boolean
}

const managers: ReadonlySet<string> = new Set(['npm', 'pnpm', 'yarn', 'yarnpkg', 'bun'])
const changing: ReadonlySet<string> = new Set(
  (
    'i in ins inst insta instal install add un uninstall rm remove r unlink up update upgrade ' +
    'prune ci link ln dedupe global'
  ).split(' '),
)
const wholesale = /^(?:up|update|upgrade|prune)$/

export function packageChanges({ command, commands }: ShellFindings): PackageChanges {
  const calls = commands
    .filter(({ words }) => managers.has(programOf(words)))
    .map(({ words }) => words.slice(1).filter((word) => word !== null))
    .filter((words) => words.some((word) => changing.has(word)))
  if (calls.length === 0) return { prefixes: [], isAny: false, isOurs: false }
  return {
    prefixes: [...command.matchAll(prefix)].map(([, path = '']) => path),
    isAny: true,
    isOurs: calls.some((words) => isGlobal(words, command) && meansUs(words)),
  }
}

const prefix = /(?:--prefix|--dir|--cwd|\s-C|npm_config_prefix)(?:=|\s+)["']?([^\s"';|&]+)/gi

function isGlobal(words: readonly string[], command: string): boolean {
  const isNamed = words.some((word) => /^(?:-g|--global|--location=global|global)$/.test(word))
  return isNamed || /\bnpm_config_(?:global|location)\b/i.test(command)
}

function meansUs(words: readonly string[]): boolean {
  const operands = words.filter((word) => !word.startsWith('-') && word !== 'global')
  const named = operands.filter((word) => !changing.has(word))
  if (named.length === 0) return operands.some((word) => wholesale.test(word))
  return named.some((word) => /^(?:@statewright\/|statewright(?:@|$))/.test(word))
}
