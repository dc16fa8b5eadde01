/** Variables that say how a child is to be set up, from the state it was judged in (SH-12). */
export interface EnvironmentRules {
  readonly blocked: readonly string[]
  readonly overrides: Readonly<Record<string, string>>
}

type Environment = Readonly<Record<string, string | undefined>>

/** What a child of the server itself gets: a list of what is harmless, never all that we have. */
export const plainPattern =
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_[A-Z]+|TERM|COLORTERM|TZ|EDITOR|CI|NO_COLOR)$/

/**
 * Keys to ourselves, and start-up files of bash: those would run code that nobody has judged
 * before the command that was.
 */
export const neverGivenPattern =
  /^(?:STATEWRIGHT_.*|BASH_ENV|ENV|BASH_FUNC_.*|PROMPT_COMMAND|SHELLOPTS|BASHOPTS)$/

/**
 * Variables that change how programs are loaded. Bubblewrap itself starts outside of the cage, so
 * that it must not see them; the command inside gets them back.
 */
export const loaderPattern =
  /^(?:LD_.*|DYLD_.*|GLIBC_TUNABLES|MALLOC_.*|GCONV_PATH|LOCPATH|NLSPATH)$/

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
  const blockedNames = new Set(blocked)
  const plain = Object.entries(ours).filter(([name]) => plainPattern.test(name))
  const env: Record<string, string> = {}
  for (const [name, value] of [...plain, ...Object.entries(overrides)]) {
    if (value === undefined || neverGivenPattern.test(name) || blockedNames.has(name)) continue
    env[name] = value
  }
  return env
}
