import type { Arg } from '../context.ts'
import { kinds } from '../scope.ts'
import { isHarmlessRole, type Option, type Program } from './table.ts'

/** One option as it was used. */
export interface Used {
  readonly option: Option
  readonly value: Arg | null
  readonly at: Arg
  /** `--no-x`: from here on it does not count. */
  readonly isOff?: boolean
}

export interface Parsed {
  readonly used: Used[]
  readonly operands: Arg[]
  /** Arguments that may turn out to be options. */
  readonly unclear: Arg[]
  /** Options that the table does not tell. */
  readonly unknown: Arg[]
  /** What stands behind `--`. */
  behind: readonly Arg[]
  /** Index of the first argument that was not read, for programs that stop at an operand. */
  rest: number
}

/** Sorts arguments into options and operands by the program's own table. */
export function parseOptions(program: Program, args: readonly Arg[]): Parsed {
  const parsed: Parsed = {
    used: [],
    operands: [],
    unclear: [],
    unknown: [],
    behind: [],
    rest: args.length,
  }
  const style = program.entry.style ?? 'gnu'
  let at = 0
  while (at < args.length) {
    const arg = args[at] as Arg // The index is inside the list.
    at++
    const { shape } = arg
    if (mayBeOption(arg)) parsed.unclear.push(arg)
    else if (program.entry.wraps !== undefined && isPattern(arg)) parsed.unclear.push(arg)
    if (shape === '--' && style !== 'none') {
      if (style === 'posix') parsed.rest = at
      parsed.behind = args.slice(at)
      parsed.operands.push(...parsed.behind)
      at = args.length
      break
    }
    // A dash alone is an operand, but the first is an option of env and su, which start the rest.
    const dash = shape === '-' ? program.options.get('-') : undefined
    if (dash !== undefined && !parsed.used.some(({ option }) => option === dash)) {
      parsed.used.push({ option: dash, value: null, at: arg })
      continue
    }
    const isOption = style !== 'none' && shape.length > 1 && shape.charCodeAt(0) === 45
    if (!isOption) {
      if (style === 'posix' || style === 'words') {
        parsed.rest = at - 1
        parsed.operands.push(...args.slice(at - 1))
        at = args.length
        break
      }
      parsed.operands.push(arg)
      continue
    }
    if (style === 'single' || style === 'words') at += readSingle(program, arg, args[at], parsed)
    else if (shape.charCodeAt(1) === 45) at += readLong(program, arg, args[at], parsed)
    else at += readBundle(program, arg, args[at], parsed)
  }
  for (const { value } of parsed.used) {
    if (value === null) continue
    // A value that is split leaves words behind it.
    const isMore = value.splits && value.shape.includes('\0') && mayBeOption(value)
    if (isMore || (program.entry.wraps !== undefined && isPattern(value))) {
      parsed.unclear.push(value)
    }
  }
  return parsed
}

/** Whether a computed argument could turn out to be an option, or several words. */
export function mayBeOption(arg: Arg): boolean {
  if (arg.text !== null || arg.kind < kinds.path) return false
  // A file may be called `x -o`; a glob is not split any more.
  const isSplit = arg.splits && arg.shape.includes('\0')
  if (arg.kind === kinds.path) return isSplit
  // `*` may stand for a file that is called `-o`; `./*` may not.
  if (arg.kind === kinds.name) return isSplit || /^[\0*?[]/.test(arg.shape)
  return arg.splits || arg.shape.startsWith('\0')
}

/** `timeout * ls`: a pattern may become several words, of which the second is then a program. */
function isPattern(arg: Arg): boolean {
  return arg.text === null && /[*?[]/.test(arg.shape)
}

/** Each reader answers how many further arguments it took. */
function readLong(program: Program, arg: Arg, next: Arg | undefined, parsed: Parsed): number {
  const equals = arg.shape.indexOf('=')
  const name = equals === -1 ? arg.shape : arg.shape.slice(0, equals)
  if (name.includes('\0')) {
    parsed.unclear.push(arg)
    return 0
  }
  const option = program.options.get(name) ?? abbreviated(program, name)
  if (option === undefined) {
    const undone = program.entry.negates ? negated(program, name) : undefined
    if (undone !== undefined)
      parsed.used.push({ option: undone, value: null, at: arg, isOff: true })
    else parsed.unknown.push(arg)
    return 0
  }
  return use(program, option, equals === -1 ? null : tail(arg, equals + 1), arg, next, parsed)
}

function negated(program: Program, name: string): Option | undefined {
  return name.startsWith('--no-') ? program.options.get(`--${name.slice(5)}`) : undefined
}

/**
 * GNU programs take any beginning of a long option. It proves nothing, since the program may have
 * an option of just that name, but what it would do counts.
 */
function abbreviated(program: Program, name: string): Option | undefined {
  if (name.length < 3) return undefined
  for (const long of program.longNames) {
    if (!long.startsWith(name)) continue
    const option = program.options.get(long)
    if (option !== undefined && !isHarmlessRole(option.role)) return option
  }
  return undefined
}

function readSingle(program: Program, arg: Arg, next: Arg | undefined, parsed: Parsed): number {
  const equals = arg.shape.indexOf('=')
  const written = equals === -1 ? arg.shape : arg.shape.slice(0, equals)
  const isDoubled = written.startsWith('--') && program.entry.style !== 'words'
  const name = isDoubled ? written.slice(1) : written
  const option = program.options.get(name) ?? program.options.get(written)
  if (option === undefined) {
    parsed.unknown.push(arg)
    return 0
  }
  return use(program, option, equals === -1 ? null : tail(arg, equals + 1), arg, next, parsed)
}

function readBundle(program: Program, arg: Arg, next: Arg | undefined, parsed: Parsed): number {
  const { shape } = arg
  // Some programs have words behind one dash beside their letters, such as `-exec`.
  const whole = program.options.get(shape)
  if (whole !== undefined && shape.length > 2) return use(program, whole, null, arg, next, parsed)
  const number = program.options.get('-#')
  if (number !== undefined && /^-\d+$/.test(shape)) {
    parsed.used.push({ option: number, value: null, at: arg })
    return 0
  }
  for (let index = 1; index < shape.length; index++) {
    const letter = shape.charAt(index)
    if (letter === '\0') {
      parsed.unclear.push(arg)
      return 0
    }
    const option = program.options.get(`-${letter}`)
    if (option === undefined) {
      // What follows may be its value, so nothing behind it is read as letters.
      parsed.unknown.push(arg)
      return 0
    }
    if (option.takes === 'nothing') {
      parsed.used.push({ option, value: null, at: arg })
      continue
    }
    const glued = index + 1 < shape.length ? tail(arg, index + 1) : null
    if (glued !== null && program.entry.neverGlued && !/^\d+$/.test(glued.shape)) {
      parsed.unknown.push(arg)
      return 0
    }
    return use(program, option, glued, arg, next, parsed)
  }
  return 0
}

function use(
  program: Program,
  option: Option,
  glued: Arg | null,
  at: Arg,
  next: Arg | undefined,
  parsed: Parsed,
): number {
  if (glued !== null || option.takes !== 'value') {
    parsed.used.push({ option, value: glued, at })
    return 0
  }
  if (next?.splits && next.kind >= kinds.outside) parsed.unclear.push(next)
  parsed.used.push({ option, value: next ?? null, at })
  // Read as a value it makes nothing quiet: `rsync --exclude -n a b` copies.
  const matters = program.isRisky || program.entry.does !== 'read'
  if (next !== undefined && matters && looksLikeOption(next)) parsed.unknown.push(at)
  return next === undefined || (program.isRisky && looksLikeOption(next)) ? 0 : 1
}

/**
 * Some programs do not take the value that others of the same name take, and read it as an option:
 * what looks like one is read as both, so that no value hides `--output`.
 */
function looksLikeOption({ shape }: Arg): boolean {
  return /^-[^\d]/.test(shape) && shape !== '--'
}

/** The part of an argument behind its option letter or equals sign. */
function tail(arg: Arg, from: number): Arg {
  const shape = arg.shape.slice(from)
  return {
    ...arg,
    text: arg.text === null ? null : shape,
    shape,
    verbatim: arg.verbatim === -1 ? -1 : arg.verbatim + from,
  }
}
