import type { CommandFinding, ShellFindings } from '../shell/findings.ts'
import { gitReads } from './git-reads.ts'
import { isPlainCurl } from './shell-hosts.ts'
import { baseName } from './shell-words.ts'

/** Words of one command that may be files; past it nobody could say which are. */
const maxWords = 2000

/** Whether a folder lies at a path; where nobody can look, one may. */
export type IsFolder = (path: string) => boolean

/**
 * Files that a command may read, in its own words for them and from each folder that it goes to;
 * undefined where the text does not tell all of them (FC-17).
 */
export function readsOf(
  shell: ShellFindings,
  isFolder: IsFolder = () => true,
): readonly string[] | undefined {
  // Whatever is not proven may open any file.
  if ((shell.unproven?.length ?? 0) > 0) return undefined
  const opened = shell.reads.map(({ path }) => path)
  if (opened.includes(null)) return undefined
  const under: string[] = []
  for (const command of shell.commands) {
    const paths = readsBy(command)
    if (paths === undefined) return undefined
    under.push(...paths)
  }
  const named = shell.commands.flatMap(fileWords)
  const paths = [...new Set([...opened.filter((path) => path !== null), ...named])].map(plain)
  const folders = foldersOf(shell)
  if (folders === undefined || paths.length * (folders.length + 1) > maxWords) return undefined
  if (under.some((path) => withFolders(path, folders).some(isFolder))) return undefined
  return [...new Set(paths.flatMap((path) => withFolders(path, folders)))]
}

function withFolders(path: string, folders: readonly string[]): readonly string[] {
  if (path.startsWith('/') || path.startsWith('-')) return [path]
  return [path, ...folders.map((at) => `${at}/${path}`)]
}

function plain(path: string): string {
  return path.replace(/^(?:\.\/+)+/, '')
}

/** Programs that read the files among their words and no others. */
const readers: ReadonlySet<string> = new Set([
  ...['echo', 'printf', 'true', 'false', 'test', '[', 'pwd', 'sleep', 'yes', 'expr', 'seq', 'bc'],
  ...['cat', 'gcat', 'tac', 'rev', 'nl', 'head', 'ghead', 'tail', 'gtail', 'wc', 'gwc', 'cut'],
  ...['paste', 'join', 'fold', 'fmt', 'expand', 'unexpand', 'tr', 'gtr', 'numfmt', 'column'],
  ...['look', 'od', 'hexdump', 'hd', 'xxd', 'base64', 'base32', 'basenc', 'iconv', 'shuf', 'sort'],
  ...['gsort', 'uniq', 'guniq', 'cal', 'tsort', 'factor', 'envsubst', 'which', 'whereis', 'ls'],
  ...['gls', 'dir', 'vdir', 'eza', 'exa', 'stat', 'gstat', 'du', 'gdu', 'df', 'tree', 'basename'],
  ...['dirname', 'realpath', 'readlink', 'pathchk', 'file', 'cmp', 'comm', 'diff3', 'more', 'less'],
  ...['bat', 'batcat', 'zcat', 'gzcat', 'bzcat', 'xzcat', 'lzcat', 'zipinfo', 'uname', 'nproc'],
  ...['whoami', 'groups', 'id', 'uptime', 'free', 'date', 'gdate', 'hostname', 'locale', 'getconf'],
  ...['lscpu', 'lsblk', 'lsb_release', 'sw_vers', 'ps', 'pgrep', 'pidof', 'pstree', 'who', 'w'],
  ...['ping', 'ping6', 'dig', 'host', 'nslookup', 'whois', 'find', 'gfind', 'fd', 'fdfind', 'dd'],
  ...['printenv', 'tty', 'logname', 'arch', 'users', 'hostid', 'getent', 'fuser', 'lsof', 'kill'],
  // They start the command behind them, which is another one of the list.
  ...['env', 'genv', 'sudo', 'nice', 'ionice', 'timeout', 'gtimeout', 'nohup', 'stdbuf', 'time'],
  ...['command', 'builtin', 'exec', 'bash', 'sh', 'dash'],
  // They change files, and read those that they name.
  ...['mkdir', 'rmdir', 'touch', 'rm', 'unlink', 'chmod', 'chown', 'chgrp', 'tee', 'truncate'],
  ...['mktemp', 'install', 'ginstall', 'gzip', 'gunzip', 'bzip2', 'bunzip2'],
])

/** Their option `-c` has them read the files of a list. */
const sums = /^(?:md5|sha\d+|b2|ck)?sum$|^shasum$/

/** Programs that take a program of their own among their words. */
const awks: ReadonlySet<string> = new Set(['awk', 'gawk', 'mawk', 'nawk', 'original-awk'])
const seds: ReadonlySet<string> = new Set(['sed', 'gsed'])

/**
 * Paths of which a command reads all that lies there; undefined where it may read what none of its
 * words name.
 */
function readsBy({ words, kind }: CommandFinding): readonly string[] | undefined {
  // Words of the shell itself, and functions whose body is among the commands.
  if (words.includes(null)) return undefined
  if (kind === 'steer' || kind === 'function') return []
  const [first = '', ...given] = words.filter((word) => word !== null)
  const program = baseName(first)
  const has = (option: RegExp) => given.some((word) => option.test(word))
  if (readers.has(program)) return []
  if (sums.test(program)) return has(/^-[^-]*c|^--c/) ? undefined : []
  if (seds.has(program)) return has(/^-[^-]*f|^--f/) ? undefined : []
  if (awks.has(program)) return has(/getline|ARGV|@|^-[^-]*[fiElD]|^--/) ? undefined : []
  if (program === 'jq') return has(/import|include|input|^-[^-]*[fL]|^--f/) ? undefined : []
  if (program === 'curl') return isPlainCurl(given) && !has(/[[{]/) ? [] : undefined
  if (program === 'strings') return has(/^@/) ? undefined : []
  if (/^[eg]?f?grep$/.test(program)) return has(/^-[^-]*[rRd]|^--(?:r|d)/) ? undefined : []
  if (/^g?cp$/.test(program)) return has(/^-[^-]*[rRa]|^--(?:r|a)/) ? undefined : []
  if (program === 'diff' || program === 'gdiff' || program === 'sdiff') {
    return has(/^-[^-]*r|^--(?:r|from|to)/) ? undefined : operands(given)
  }
  // What lies in a folder would go by other names from then on.
  if (/^(?:g?mv|ln|link)$/.test(program)) return has(/^-[^-]*t|^--t/) ? undefined : sources(given)
  if (program !== 'git') return undefined
  const shown = gitReads(given)
  if (shown.kind === 'unknown') return undefined
  return shown.kind === 'under' ? operands(shown.paths) : []
}

function operands(words: readonly string[]): readonly string[] {
  return words.filter((word) => !word.startsWith('-'))
}

/** All but the last, where there is one to come last. */
function sources(words: readonly string[]): readonly string[] {
  const given = operands(words)
  return given.length < 2 ? given : given.slice(0, -1)
}

const scripted: ReadonlySet<string> = new Set([...awks, ...seds, 'jq', 'find', 'gfind'])

/** Every word may be a file, also behind an option, `=`, `@` or the colon of an address. */
function fileWords({ words }: CommandFinding): string[] {
  const program = baseName(words[0] ?? '')
  const split = scripted.has(program) ? /[\s"'`<>=@:,;(){}]+/ : /[=@:<,;]+/
  return words.slice(1).flatMap((word) => {
    if (word === null || word === '' || word.startsWith('/dev/')) return []
    const behind = [...behindLetters(word), ...(seds.has(program) ? behindRead(word) : [])]
    const pieces = [word, ...behind].flatMap((one) => one.split(split))
    return [word, ...behind, ...pieces].filter((one) => one !== '')
  })
}

/** What may be the value of the last of some options in one word, as in `-nf.env`. */
function behindLetters(word: string): string[] {
  const letters = /^-[A-Za-z0-9]*/.exec(word)?.[0] ?? ''
  return [...letters].slice(1).map((_, index) => word.slice(index + 2))
}

/** sed reads the file behind an `r`, up to the end of the line and whatever stands before it. */
function behindRead(word: string): string[] {
  return word.split('\n').flatMap((line) => {
    const letters = [...line.matchAll(/[rRwW]/g)]
    return letters.map(({ index }) => line.slice(index + 1).trim())
  })
}

/** Where a command goes before it reads: each may be meant. Undefined where that is not told. */
function foldersOf({ commands }: ShellFindings): readonly string[] | undefined {
  let folders: readonly string[] = []
  for (const { words } of commands) {
    const program = baseName(words[0] ?? '')
    const goes = (option: RegExp) => words.some((word) => word !== null && option.test(word))
    if (/^g?env$/.test(program) && goes(/^-[^-]*C|^--c/)) return undefined
    if (program === 'sudo' && goes(/^-[^-]*[DR]|^--ch/)) return undefined
    if (program !== 'cd' && program !== 'pushd') continue
    const folder = words.slice(1).find((word) => word === null || !word.startsWith('-'))
    if (typeof folder !== 'string' || folder.startsWith('~')) return undefined
    const inner = folder.startsWith('/') ? [] : folders.map((at) => `${at}/${folder}`)
    folders = [...new Set([...folders, folder, ...inner])]
    if (folders.length > 64) return undefined
  }
  return folders
}
