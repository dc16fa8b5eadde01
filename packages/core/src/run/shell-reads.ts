import type { CommandFinding, ShellFindings } from '../shell/findings.ts'
import { baseName } from './shell-words.ts'

/** Words of one command that may be files; past it nobody could say which are. */
const mostWords = 2000

/**
 * Files that a command may read, in its own words for them and from each folder that it goes to;
 * undefined where the text does not tell all of them (FC-17).
 */
export function readsOf(shell: ShellFindings): readonly string[] | undefined {
  // Whatever is not proven may open any file.
  if ((shell.unproven?.length ?? 0) > 0 || shell.commands.some(isSweeping)) return undefined
  const operands = shell.commands.flatMap(({ words }) => words.slice(1))
  if (operands.includes(null)) return undefined
  const named = shell.commands.flatMap(fileWords)
  const paths = [...new Set([...shell.reads.map(({ path }) => path), ...named])].map(plain)
  const folders = foldersOf(shell)
  if (folders === undefined || paths.length * (folders.length + 1) > mostWords) return undefined
  const inside = paths.filter((path) => !path.startsWith('/') && !path.startsWith('-'))
  return [...new Set([...paths, ...folders.flatMap((at) => inside.map((path) => `${at}/${path}`))])]
}

function plain(path: string): string {
  return path.replace(/^(?:\.\/+)+/, '')
}

/** Programs that take a program of their own among their words. */
const scripted: ReadonlySet<string> = new Set(['awk', 'gawk', 'mawk', 'nawk', 'sed', 'jq', 'find'])

/** Every word may be a file, also behind an option, `=`, `@` or the colon of an address. */
function fileWords({ words }: CommandFinding): string[] {
  const split = scripted.has(baseName(words[0] ?? '')) ? /[\s"'`<>=@:,;(){}]+/ : /[=@:<,;]+/
  return words.slice(1).flatMap((word) => {
    if (word === null || word === '' || word.startsWith('/dev/')) return []
    const behind = word.startsWith('-') ? [word.slice(2)] : []
    const pieces = [word, ...behind].flatMap((one) => one.split(split))
    return [word, ...behind, ...pieces].filter((one) => one !== '')
  })
}

/** Where a command goes before it reads: each may be meant. Undefined where that is not told. */
function foldersOf({ commands }: ShellFindings): readonly string[] | undefined {
  let folders: readonly string[] = []
  for (const { words } of commands) {
    const program = baseName(words[0] ?? '')
    if (program === 'env' || program === 'make') {
      if (words.some((word) => word !== null && /^(?:-C|--(?:chdir|directory))/.test(word))) {
        return undefined
      }
    }
    if (program !== 'cd' && program !== 'pushd') continue
    const folder = words.slice(1).find((word) => word === null || !word.startsWith('-'))
    if (typeof folder !== 'string' || folder.startsWith('~')) return undefined
    const inner = folder.startsWith('/') ? [] : folders.map((at) => `${at}/${folder}`)
    folders = [...new Set([...folders, folder, ...inner])]
    if (folders.length > 64) return undefined
  }
  return folders
}

const sweepers: ReadonlySet<string> = new Set(['rg', 'ag', 'ack', 'tar', 'rsync', 'zip', 'cpio'])
const recursive: ReadonlySet<string> = new Set(['grep', 'egrep', 'fgrep', 'cp', 'scp', 'diff'])

/** Reads whatever lies in a folder, which the text does not tell. */
function isSweeping({ words }: CommandFinding): boolean {
  const program = baseName(words[0] ?? '')
  if (sweepers.has(program)) return true
  if (program === 'git') return showsFiles(words.slice(1))
  if (scripted.has(program)) {
    return words.some((word) => word === null || /getline|ARGV|@include|@load|input/.test(word))
  }
  if (!recursive.has(program)) return false
  return words.some((word) => word === null || /^-[a-zA-Z]*[rRad]|^--(?:r|a|d)/.test(word))
}

/** Commands of git that print what is in files. */
const showing: ReadonlySet<string> = new Set([
  ...['grep', 'archive', 'diff', 'show', 'cat-file', 'format-patch', 'whatchanged', 'difftool'],
  ...['range-diff', 'diff-tree', 'diff-index', 'diff-files', 'bundle', 'fast-export', 'stash'],
])

/** Those that are told which files by their paths, behind `--` or behind a commit, tell them. */
function showsFiles(words: readonly (string | null)[]): boolean {
  const [command] = words
  const isLog = command === 'log' || command === 'reflog'
  const prints =
    isLog && words.some((word) => word === null || /^(?:-[pucL]|--(?:p|cc))/.test(word))
  if (command === null || command === undefined) return true
  if (!prints && !showing.has(command)) return false
  if (command === 'grep' || command === 'archive' || command === 'cat-file') return true
  const paths = words.indexOf('--')
  if (paths >= 0) return words.slice(paths + 1).some((word) => word === null || /[*:]/.test(word))
  const given = words.slice(1).filter((word) => !word?.startsWith('-'))
  const isNamed = given.length > 0 && given.every((word) => word !== null && /^[^:]+:./.test(word))
  return !(command === 'show' && isNamed)
}
