import { basename } from 'node:path'

/** Programs that start the command behind them, with options and assignments of their own. */
const wrappers: ReadonlySet<string> = new Set(
  (
    'env timeout gtimeout time nice ionice nohup stdbuf exec command sudo setsid unbuffer ' +
    'xvfb-run cross-env dotenv npx'
  ).split(' '),
)
const shellNames = /^(?:ba|da|z|k|a)?sh$/
export const interpreters =
  /^(?:node|nodejs|deno|tsx|ts-node|python(?:\d(?:\.\d+)?)?|ruby|perl|php)$/

/** Options of interpreters whose value is loaded before the tests, or instead of them. */
const loads: ReadonlySet<string> = new Set(
  (
    '-r --require --import --loader --experimental-loader --env-file --env-file-if-exists ' +
    '--test-reporter --test-global-setup --preload'
  ).split(' '),
)

/**
 * Scripts of the project that a line of words starts: its first word, what a shell or an
 * interpreter is given, and what its options load. A file behind `--test` or `-m` is read by a
 * runner, and is no such script.
 */
export function startedScripts(line: readonly string[]): string[] {
  const redirected = line.flatMap((word, at) => {
    if (word === '<') return line[at + 1] ?? []
    return word.startsWith('<') && !word.startsWith('<<') ? word.slice(1) : []
  })
  const words = unwrapped(line.filter((word) => !/^[A-Za-z_]\w*=/.test(word)))
  const [first = '', ...rest] = words
  const program = basename(first)
  if (first === '.' || first === 'source') return [...redirected, ...rest.slice(0, 1)]
  const isOwn = first.includes('/') && !first.startsWith('/')
  const isShell = shellNames.test(program)
  if (!isShell && !interpreters.test(program)) return [...redirected, ...(isOwn ? [first] : [])]
  const loaded = rest.flatMap((word, at) => {
    const [option = '', ...value] = word.split('=')
    if (!loads.has(option)) return []
    return value.length > 0 ? value.join('=') : (rest[at + 1] ?? [])
  })
  return [...redirected, ...loaded, ...scriptOf(rest, isShell)]
}

function scriptOf(rest: readonly string[], isShell: boolean): string[] {
  const text = rest.findIndex((word) => isShell && /^-[a-z]*c$/.test(word))
  if (text >= 0) return startedScripts(rest.slice(text + 1))
  if (rest.some((word) => /^(?:--test\b.*|-m|-c|-e|-p|--eval|--print)$/.test(word))) return []
  const script = rest.find((word, at) => !word.startsWith('-') && !loads.has(rest[at - 1] ?? ''))
  return script === undefined || script === '<' ? [] : [script]
}

function unwrapped(words: readonly string[]): readonly string[] {
  let left = words
  while (wrappers.has(basename(left[0] ?? ''))) {
    const next = left.findIndex((word, at) => at > 0 && !/^-|^[\d.]+[smhd]?$|=/.test(word))
    if (next < 0) return []
    left = left.slice(next)
  }
  return left
}
