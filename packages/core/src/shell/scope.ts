/**
 * How far a computed value is known, from harmless to not at all.
 * `text`: known to the letter. `number`: digits. `word`: commits, references and the like: words
 * that are no options. `path`: names of files with a folder in front; without quotes a blank in one
 * makes two words of it. `name`: names of files without a folder in front, of which
 * one may begin with a dash. `outside`: a variable that this text never sets.
 * `any`: anything, chosen by this text in a way that is not followed.
 */
export const kinds = { text: 0, number: 1, word: 2, path: 3, name: 4, outside: 5, any: 6 } as const
export type Kind = (typeof kinds)[keyof typeof kinds]

export interface Value {
  /** The whole value, or null when a piece of it is computed. */
  readonly text: string | null
  /** The value with a NUL in the place of every computed piece. */
  readonly shape: string
  readonly kind: Kind
}

export const anything: Value = { text: null, shape: '\0', kind: kinds.any }
export const someNumber: Value = { text: null, shape: '\0', kind: kinds.number }
export const somePath: Value = { text: null, shape: '\0', kind: kinds.path }
export const someWord: Value = { text: null, shape: '\0', kind: kinds.word }
const someName: Value = { text: null, shape: '\0', kind: kinds.name }
const fromOutside: Value = { text: null, shape: '\0', kind: kinds.outside }

/** Where the shell stands, and whose files count as those of the project (SH-10). */
export interface Workspace {
  readonly roots: readonly string[]
  readonly cwd: string
}

/** What a command would read from its standard input. */
export type Stdin =
  | { readonly kind: 'empty' | 'unknown' | 'paths' | 'names' }
  | {
      readonly kind: 'text'
      readonly text: string
      readonly at: { readonly start: number; readonly end: number }
      readonly verbatim: number
    }

/** What the shell knows at one point of the text: variables, functions, arguments. */
export interface Scope {
  values: Map<string, Value>
  /** Names of functions defined so far. */
  readonly functions: Set<string>
  /** `$1`, `$2` … or null when they are not known. */
  positional: readonly Value[] | null
  /** Inside the body of a function, where `local` works. */
  readonly isFunction: boolean
  /** IFS was set, so that splitting is not what it looks like. */
  oddSplitting: boolean
  /** A variable whose name is computed was set, so none is what the environment gave us. */
  anyWasSet: boolean
  /** The shell has gone to another folder. */
  moved: boolean
  /** What `exec` has made the shell's own input; null when it is still the one it began with. */
  input: Stdin | null
}

export function newScope(): Scope {
  return {
    values: new Map(),
    functions: new Set(),
    positional: null,
    isFunction: false,
    oddSplitting: false,
    anyWasSet: false,
    moved: false,
    input: null,
  }
}

/** Variables that every environment has, whose values do not look like options. */
const ordinary = new Map<string, Value>([
  ...['HOME', 'PWD', 'OLDPWD', 'TMPDIR', 'USER', 'LOGNAME', 'HOSTNAME', 'SHELL', 'BASH'].map(
    (name) => [name, someWord] as const,
  ),
  ...['BASH_VERSION', 'OSTYPE', 'HOSTTYPE', 'MACHTYPE', 'VIRTUAL_ENV', 'GITHUB_WORKSPACE'].map(
    (name) => [name, someWord] as const,
  ),
  ...['UID', 'EUID', 'PPID', 'RANDOM', 'SECONDS', 'LINENO', 'BASHPID', 'COLUMNS', 'LINES'].map(
    (name) => [name, someNumber] as const,
  ),
])

/** By their names these hold an address or a folder, which no program takes for an option. */
const pathVariables = /_(?:URL|URI|DSN|HOST|PORT|DIR|PATH|ROOT|HOME|FILE)$/

export function lookUp(scope: Scope, name: string): Value {
  const known = scope.values.get(name)
  if (known !== undefined) return known
  if (scope.anyWasSet) return fromOutside
  return ordinary.get(name) ?? (pathVariables.test(name) ? someWord : fromOutside)
}

/** Variables that bash fills by itself: what is put into them is not what they hold. */
const dynamic = new Set(
  (
    'RANDOM SRANDOM SECONDS LINENO OPTIND OPTARG EPOCHSECONDS EPOCHREALTIME FUNCNAME GROUPS ' +
    'DIRSTACK HISTCMD UID EUID PPID SHELLOPTS PIPESTATUS COPROC REPLY MAPFILE COLUMNS LINES ' +
    'PWD OLDPWD HOSTNAME POSIXLY_CORRECT IGNOREEOF _'
  ).split(' '),
)
const ofShell = /^(?:BASH|COMP_|READLINE_)/

/**
 * A longer value is as good as unknown: `a=$a$a` written a few dozen times would fill the memory.
 */
const maxValue = 8 * 1024

export function assign(scope: Scope, name: string, value: Value): void {
  const isOwn = dynamic.has(name) || ofShell.test(name)
  scope.values.set(name, isOwn || value.shape.length > maxValue ? anything : value)
  if (name === 'IFS') scope.oddSplitting = true
}

export function worse(left: Kind, right: Kind): Kind {
  return left > right ? left : right
}

/** The value of `$1`, `$@` and their kin. */
export function positionalValue({ positional }: Scope, name: string): Value {
  if (positional === null) return anything
  if (name !== '@' && name !== '*') return positional[Number(name)] ?? anything
  let kind: Kind = kinds.number
  for (const value of positional) kind = worse(kind, optionKind(value))
  return { text: null, shape: '\0', kind }
}

/** A known text that looks like an option must not pass as a file name once it is merged. */
function optionKind(value: Value): Kind {
  if (value.text === null) return value.kind
  return value.text.startsWith('-') ? kinds.any : kinds.path
}

/** A subshell: it sees everything and gives nothing back. */
export function fork(scope: Scope): Scope {
  return { ...scope, values: new Map(scope.values) }
}

/**
 * Joins what a branch that may not have run left behind: a name it changed is no longer known.
 */
export function joinBranch(scope: Scope, before: ReadonlyMap<string, Value>): void {
  if (scope.values.size === 0) return
  for (const [name, value] of scope.values) {
    if (before.get(name) !== value) scope.values.set(name, anything)
  }
}

/** Answers, when asked later, which names were set in this scope in between. */
export function watchChanges(scope: Scope): () => string[] {
  // A value of its own for each name tells even that a name was set to the same.
  for (const [name, value] of scope.values) scope.values.set(name, { ...value })
  const before = new Map(scope.values)
  return () =>
    [...scope.values.keys()].filter((name) => before.get(name) !== scope.values.get(name))
}

/**
 * What a loop body or a function knows when it starts: a name that its own text can set may have
 * changed in an earlier round, so only names that are merely expanded there are kept.
 */
export function forgetWhatChanges(scope: Scope, body: string): void {
  for (const [name, value] of scope.values) {
    if (value === anything || !mayBeSet(body, name)) continue
    const stays = isNumber(value) && isOnlyCounted(body, name)
    scope.values.set(name, stays ? someNumber : anything)
  }
}

function isNumber({ text, kind }: Value): boolean {
  return text === null ? kind === kinds.number : /^\d+$/.test(text)
}

const counting = /^(?:\+\+|--|\s*(?:[-+*/%]?=|[<>]=?|[=!]=)\s*\d+(?![\w.$`"'\\[({@#+-]))/

/** `((i++))`, `((i <= 3))`: whatever else the text does, this name stays a number. */
function isOnlyCounted(text: string, name: string): boolean {
  for (const match of text.matchAll(new RegExp(`(\\$|\\$\\{)?\\b${name}\\b`, 'g'))) {
    const isExpanded = match[1] !== undefined
    const rest = text.slice(match.index + match[0].length)
    if (isExpanded ? /^\s*[:=[]/.test(rest) : !counting.test(rest)) return false
  }
  return true
}

function mayBeSet(text: string, name: string): boolean {
  let at = text.indexOf(name)
  while (at !== -1) {
    const dollar = text[at - 1] === '$' || (text[at - 1] === '{' && text[at - 2] === '$')
    const after = text[at + name.length]
    if (!dollar || after === ':' || after === '=') return true
    at = text.indexOf(name, at + name.length)
  }
  return false
}

/** What a word is that was read from an input. */
export function fedValue({ kind }: Stdin): Value {
  if (kind === 'paths') return somePath
  return kind === 'names' ? someName : anything
}
