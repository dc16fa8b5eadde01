/** Variables that say how a child is to be set up, from the state it was judged in (SH-12). */
export interface EnvironmentRules {
  readonly blocked: readonly string[]
  readonly overrides: Readonly<Record<string, string>>
}

export type Environment = Readonly<Record<string, string | undefined>>

/** What any program may know of the machine it runs on. */
const plain = ['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LANGUAGE', 'LC_[A-Z]+', 'TZ']

/** Keys to ourselves and our data: never handed on, not even where a configuration names them. */
const secrets = ['STATEWRIGHT_.*', 'DATABASE_URL']

/** Start-up files of bash: they would run code that nobody has judged before the command. */
const starts = ['BASH_ENV', 'ENV', 'BASH_FUNC_.*', 'PROMPT_COMMAND', 'SHELLOPTS', 'BASHOPTS']

/** These change how programs are loaded, so that they run more than is to be seen. */
const loads = [
  'LD_.*',
  'DYLD_.*',
  'GLIBC_TUNABLES',
  'MALLOC_.*',
  'GCONV_PATH',
  'LOCPATH',
  'NLSPATH',
]

const oneOf = (...names: readonly string[]) => new RegExp(`^(?:${names.join('|')})$`)

export const secretPattern = oneOf(...secrets)

/** What no child gets of our own environment. */
const neverHandedOn = oneOf(...secrets, ...starts, ...loads, 'NODE_OPTIONS')

/** What no command gets, wherever it comes from. A client may have a database of its own. */
export const neverPassedPattern = oneOf('STATEWRIGHT_.*', ...starts)

/**
 * Bubblewrap itself starts outside of the cage, so that it must not see these; the command inside
 * gets them back.
 */
export const loaderPattern = oneOf(...loads)

const forCommands = ['TERM', 'COLORTERM', 'EDITOR', 'CI', 'NO_COLOR']

/** What a command gets that the server starts: what is harmless, never all that we have. */
export const plainPattern = oneOf(...plain, ...forCommands)

/**
 * What a child is given of our environment: what any program may know, and what its room adds by
 * name. A list of what to leave out would forget the next secret.
 */
export function handedOn(ours: Environment, added: readonly string[]): Record<string, string> {
  return only(ours, oneOf(...plain, ...added))
}

/** Only what is named, without what is never handed on. */
export function handedOnOnly(ours: Environment, names: readonly string[]): Record<string, string> {
  return only(ours, { test: (name) => names.includes(name) })
}

function only(ours: Environment, wanted: Pick<RegExp, 'test'>): Record<string, string> {
  const given: Record<string, string> = {}
  for (const [name, value] of Object.entries(ours)) {
    // A function exported by a shell would be run by the next one.
    if (value === undefined || value.startsWith('()')) continue
    // Windows spells PATH as Path, and means the same.
    const known = process.platform === 'win32' ? name.toUpperCase() : name
    if (wanted.test(known) && !neverHandedOn.test(known)) given[name] = value
  }
  return given
}

/**
 * Where caches go when the workspace cannot be written: into the private /tmp. Without these, many
 * a test runner would fail for a reason that has nothing to do with the tests.
 */
export const containedVariables: Readonly<Record<string, string>> = {
  TMPDIR: '/tmp',
  XDG_CACHE_HOME: '/tmp/cache',
  PYTHONPYCACHEPREFIX: '/tmp/cache/python',
  PYTEST_ADDOPTS: '-o cache_dir=/tmp/cache/pytest',
  MYPY_CACHE_DIR: '/tmp/cache/mypy',
  RUFF_CACHE_DIR: '/tmp/cache/ruff',
  COVERAGE_FILE: '/tmp/cache/coverage',
  PIP_CACHE_DIR: '/tmp/cache/pip',
  npm_config_cache: '/tmp/cache/npm',
  npm_config_update_notifier: 'false',
  YARN_CACHE_FOLDER: '/tmp/cache/yarn',
  CARGO_TARGET_DIR: '/tmp/cache/cargo',
  GOCACHE: '/tmp/cache/go',
  HISTFILE: '/dev/null',
}

/** The environment of a command that the server starts; `exec.cjs` makes that of a client's. */
export function serverChildEnvironment(
  ours: Environment,
  { blocked, overrides }: EnvironmentRules,
): Record<string, string> {
  const given = handedOn(ours, forCommands)
  const settled = Object.entries({ ...given, ...overrides })
  return Object.fromEntries(
    settled.filter(([name]) => !neverPassedPattern.test(name) && !blocked.includes(name)),
  )
}
