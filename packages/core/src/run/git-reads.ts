import { own } from '../base/own.ts'

/**
 * What a command of git shows of files: nothing or only files among its words (`words`), what lies
 * at these paths, folders included (`under`), or nobody can tell. Known are the sub-commands and
 * options below and no others: git has hundreds, and a new one must not open anything (FC-17).
 */
export type GitReads =
  | { readonly kind: 'words' }
  | { readonly kind: 'under'; readonly paths: readonly string[] }
  | { readonly kind: 'unknown' }

const unknown: GitReads = { kind: 'unknown' }
const ofWords: GitReads = { kind: 'words' }

/** Options before the sub-command that change neither where nor what is read. */
const globalOptions = new Set(
  '-p --paginate -P --no-pager --no-optional-locks --no-lazy-fetch --literal-pathspecs'.split(' '),
)

export function gitReads(words: readonly string[]): GitReads {
  const at = words.findIndex((word) => !globalOptions.has(word))
  const command = words[at]
  if (command === undefined) return unknown
  if (command === '--version' || command === '--help') return ofWords
  const given = words.slice(at + 1)
  if (silent.has(command)) return ofWords
  const known = own(quiet, command)
  if (known !== undefined && isOnly(given, known)) return ofWords
  if (command === 'mv') return { kind: 'under', paths: given }
  if (command === 'show') return shown(given)
  return command === 'diff' || command === 'log' ? compared(given) : unknown
}

/** Whatever their options, these print names, hashes and messages. */
const silent: ReadonlySet<string> = new Set([
  ...['rev-parse', 'describe', 'merge-base', 'ls-files', 'ls-tree', 'name-rev', 'check-ignore'],
  ...['remote', 'fetch', 'push', 'show-ref', 'count-objects', 'version', 'symbolic-ref'],
])

type IsKnown = (word: string) => boolean

/** Options by their letters, by their names, and by names that may have a value behind `=`. */
function options(letters: RegExp, names = '', valued = ''): IsKnown {
  const plain = new Set(names.split(' '))
  const open = new Set(valued.split(' '))
  return (word) => {
    if (!word.startsWith('--')) return letters.test(word)
    const [name = ''] = word.slice(2).split('=', 1)
    return open.has(name) || (plain.has(name) && word === `--${name}`)
  }
}

const logging = options(
  /^-(?:n?\d*|[sgiEF])$/,
  'oneline graph all reverse merges no-merges first-parent abbrev-commit stat shortstat numstat ' +
    'summary name-only name-status no-patch color no-color count topo-order date-order ' +
    'no-decorate walk-reflogs',
  'decorate branches tags remotes max-count since until after before author committer grep ' +
    'format pretty abbrev date skip',
)

/** Options with which a sub-command prints nothing of files. */
const quiet: Readonly<Record<string, IsKnown>> = {
  status: options(
    /^-(?:[sbz]+|u(?:no|normal|all)?)$/,
    'short branch long show-stash ahead-behind no-ahead-behind renames no-renames',
    'porcelain untracked-files ignored ignore-submodules column',
  ),
  log: logging,
  reflog: logging,
  'rev-list': logging,
  shortlog: options(/^-[snec]+$/, 'summary numbered email all', 'since until author'),
  branch: options(/^-[avrdDmMcCfutlq]+$/, 'all list show-current delete move copy remotes verbose'),
  tag: options(/^-(?:[ladf]+|n\d*|m.*)$/s, 'list annotate delete force'),
  add: options(/^-[AufnvN]+$/, 'all update force dry-run intent-to-add'),
  commit: options(
    /^-(?:[aqsn]*m?|m.*)$/s,
    'all amend no-edit allow-empty quiet signoff no-verify',
    'message author date',
  ),
  checkout: options(/^-[bBfq]$/, 'detach force quiet ours theirs'),
  switch: options(/^-[cCfdq]$/, 'create detach force quiet'),
  restore: options(/^-[SWq]+$/, 'staged worktree quiet', 'source'),
  reset: options(/^-q$/, 'hard soft mixed keep merge quiet'),
  rm: options(/^-[rfq]+$/, 'cached force quiet ignore-unmatch'),
  pull: options(/^-[rq]$/, 'rebase no-rebase ff-only ff no-ff quiet prune tags all'),
  blame: options(/^-(?:[wse]+|L.*)$/),
  config: options(/^-l$/, 'get get-all list global local'),
  init: options(/^-q$/),
}

/** Behind `--` there are paths alone. */
function isOnly(words: readonly string[], known: IsKnown): boolean {
  return beforePaths(words).every((word) => !word.startsWith('-') || known(word))
}

function beforePaths(words: readonly string[]): readonly string[] {
  const paths = words.indexOf('--')
  return paths < 0 ? words : words.slice(0, paths)
}

/** A hash or a tag may stand for a folder, in which paths are called otherwise. */
const revision = /^(?:HEAD|@)(?:[~^]\d*)*$/

function shown(words: readonly string[]): GitReads {
  const isNamed = words.every((word) => {
    const colon = word.indexOf(':')
    return colon > 0 && revision.test(word.slice(0, colon)) && colon < word.length - 1
  })
  return words.length > 0 && isNamed ? ofWords : unknown
}

const comparing = options(
  /^-(?:[pwbu]|U\d+|n?\d+)$/,
  'patch cached staged color no-color stat oneline word-diff no-ext-diff minimal histogram',
  'unified',
)

/** Without one of these git prints what changed. */
const listing = /^--(?:stat|shortstat|numstat|summary|name-only|name-status)$/
const besideListing = /^--(?:cached|staged|(?:no-)?color)$/

function compared(words: readonly string[]): GitReads {
  const before = beforePaths(words)
  const given = before.filter((word) => word.startsWith('-'))
  const isListed = given.every((one) => listing.test(one) || besideListing.test(one))
  if (isListed && given.some((one) => listing.test(one))) return ofWords
  const paths = words.slice(before.length + 1)
  const isKnown = before.every((word) => comparing(word) || revision.test(word))
  if (paths.length === 0 || !isKnown || paths.some((path) => /[*?[:]/.test(path))) return unknown
  return { kind: 'under', paths }
}
