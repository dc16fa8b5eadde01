import { phrase } from '../base/text/phrase.ts'
import { type Arg, noteUnproven, type Walk } from './context.ts'
import { kinds, type Workspace } from './scope.ts'

/** Programs whose words are patterns and scripts as well, so that a slash alone tells no path. */
const scripted = /^(?:[efz]?grep|rg|ag|ack|ugrep|g?sed|[gmn]?awk|jq|yq|find|git|tr|echo|printf)$/
/** Of those: programs whose words are hardly ever paths. */
const languages = /^(?:g?sed|[gmn]?awk|jq|yq|tr|echo|printf)$/
const folders = 'etc|root|home|Users|var|tmp|opt|mnt|media|srv|private|Volumes|boot|run|sys|proc'
const known = new RegExp(`^(?:/+$|/+(?:${folders})(?:/|$))`)
const inScript = new RegExp(`(?:^|[^\\w./~])((?:~/|/(?:${folders})/)[^\\s"';|&)]*)`)
const elsewhere = /\$\{?(?:HOME|OLDPWD|TMPDIR|SHELL|BASH)\b|\$\{PWD[^}]|\$\{?!|\$\{\w+[%#:/]/
/** What every machine has and nobody keeps a secret in. */
const devices = 'null|zero|full|stdin|stdout|stderr|fd|tty|u?random'
const tables = 'os-release|lsb-release|debian_version|hosts'
const common = new RegExp(`^/(?:usr|bin|sbin|lib\\w*|dev/(?:${devices})|etc/(?:${tables}))(?:/|$)`)

/**
 * A file that the text does not tell, or that is none of the workspace. Where a state has no shell,
 * reading one is not reading the project.
 */
export function noteFiles(walk: Walk, name: string, args: readonly Arg[]): void {
  for (const arg of args) {
    const isComputed = arg.shape.includes('\0') && arg.kind >= kinds.outside && arg.process === ''
    if (isComputed || isElsewhere(walk, name, arg)) {
      noteUnproven(walk, 'file', arg, phrase('sh_file_not_of_workspace'))
    }
  }
}

/** The same for a file that a little language names; null where it is computed. */
export function noteNamedFile(walk: Walk, file: string | null, at: Arg): void {
  const { workspace } = walk
  if (workspace === undefined) return
  if (file === null || climbsBack(file) || !isOurs(workspace, file)) {
    noteUnproven(walk, 'file', at, phrase('sh_file_not_of_workspace'))
  }
}

/** Whether `cd` stays where the call began. */
export function staysHere({ workspace, scope }: Walk, target: Arg | undefined): boolean {
  if (target?.text == null || workspace === undefined || scope.moved) return target?.text === '.'
  // `cd -` and `cd name` may mean what a variable holds.
  if (target.text === '-') return false
  if (climbsBack(target.text)) return false
  const path = resolved(workspace, target.text)
  return path === resolved(workspace, '.') || path === workspace.roots[0]
}

function isElsewhere({ workspace, source }: Walk, name: string, arg: Arg): boolean {
  if (workspace === undefined) return false
  if (arg.shape.startsWith('\0') && elsewhere.test(source)) return true
  // What is computed may be the folder itself, and `.?` the one above.
  if (/\0\/(?:.*\/)?\.\.(?:\/|$)|(?:^|\/)\.[*?[][^/]*\//.test(arg.shape)) return true
  const isScripted = scripted.test(name)
  const glued = name === 'dd' ? /^\w+=(.*)$/s : /^-[^=]*=(.*)$/s
  const word = glued.exec(arg.shape)?.[1] ?? arg.shape.replace(/^-\w+(?=[~/]|\.\.)/, '')
  if (!languages.test(name) && climbsBack(word)) return true
  const named = isScripted ? inScript.exec(word)?.[1] : undefined
  if (named !== undefined) return !isOurs(workspace, named)
  const isPath = isScripted ? known.test(word) : word.startsWith('/')
  if (!isPath && !word.startsWith('~') && !/(?:^|\/)\.\.(?:\/|$)/.test(word)) return false
  return !isOurs(workspace, word)
}

/** `link/..` lies where the link leads, which the text does not tell. */
function climbsBack(path: string): boolean {
  return /(?:^|\/)(?!\.{1,2}\/)[^/]+\/(?:\.?\/)*\.\.(?:\/|$)/.test(path)
}

function isOurs(workspace: Workspace, word: string): boolean {
  if (word.startsWith('~')) return false
  const path = resolved(workspace, word)
  return common.test(path) || workspace.roots.some((root) => isBelow(path, root))
}

function isBelow(path: string, root: string): boolean {
  return path === root || path.startsWith(root.endsWith('/') ? root : `${root}/`)
}

function resolved({ cwd }: Workspace, path: string): string {
  const segments: string[] = []
  for (const part of (path.startsWith('/') ? path : `${cwd}/${path}`).split('/')) {
    if (part === '..') segments.pop()
    else if (part !== '' && part !== '.') segments.push(part)
  }
  return `/${segments.join('/')}`
}
