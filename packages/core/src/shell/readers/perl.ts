import { phrase } from '../../base/text/phrase.ts'
import { type CodeVerdict, harmless } from './verdict.ts'

const words = (text: string): Set<string> => new Set(text.split(' '))

/** Words of perl that only compute and print. Everything else is not known to be harmless. */
const known = words(
  'print printf say if unless while until for foreach else elsif my our local return sub sort ' +
    'keys values scalar split join map grep lc uc lcfirst ucfirst length substr sprintf reverse ' +
    'push pop shift unshift splice defined exists delete each next last redo ' +
    'chomp chop ord chr hex ' +
    'oct int abs sqrt sin cos log exp atan2 rand srand index rindex wantarray ' +
    'undef and or not xor ' +
    'eq ne lt gt le ge cmp x BEGIN END eof tr y s m qr qw q qq STDIN STDOUT ' +
    'STDERR ARGV pos quotemeta ' +
    'localtime gmtime time die warn exit a b _ sum max min first uniq strict ' +
    'warnings use no feature ' +
    'List Util POSIX Data Dumper utf8 floor ceil fmod strftime g i n r t w',
)

/** Judges a perl program; only plain filters are known to be harmless. */
export function judgePerl(source: string): CodeVerdict {
  const variables: string[] = []
  const rest = source.replace(/\$ENV\{\s*(['"]?)(\w+)\1\s*\}/g, (_use, _quote, name: string) => {
    variables.push(name)
    return '$x'
  })
  const readsAll = /%ENV\b|\$ENV\s*\{|\bENV\b|@ENV\b|\/proc\/|environ/.test(rest)
  const environment = readsAll ? phrase('sh_perl_reads_env') : null
  return { ...harmless, variables, environment, ...danger(rest) }
}

function danger(source: string): Partial<CodeVerdict> {
  const code = strip(source)?.replace(/\s+/g, ' ') ?? null
  if (code === null) return { opaque: phrase('sh_perl_not_read') }
  if (/`|\bqx\b|\bsystem\b|\bexec\b|\bfork\b|\beval\b|\bsyscall\b|\bdo\s+[^{\s]/.test(code)) {
    return { opaque: phrase('sh_starts_programs_code') }
  }
  if (
    /\bopen\b|\bsysopen\b|\bunlink\b|\brename\b|\bmkdir\b|\brmdir\b|\btruncate\b|\bchmod\b/.test(
      code,
    )
  ) {
    return {
      writes: phrase('sh_can_change_files'),
      opaque: /\bopen\b/.test(code) ? phrase('sh_open_can_start_programs') : null,
    }
  }
  for (const [name] of code.matchAll(/(?<![$@%&\w>{])[A-Za-z_]\w*/g)) {
    if (!known.has(name)) return { opaque: phrase('sh_not_known_only_compute', { name }) }
  }
  if (/->|&\s*[${]|\$\s*\{|@\s*\{\s*\[|\*\s*\{/.test(code))
    return { opaque: phrase('sh_calls_what_computed') }
  return {}
}

/**
 * Takes simple strings and patterns out. Those that run code inside, and quoting that is not
 * followed here, give null.
 */
function strip(source: string): string | null {
  let code = ''
  let at = 0
  while (at < source.length) {
    const char = source.charAt(at)
    if (char === "'" || char === '"') {
      const end = closing(source, at + 1, char)
      if (end === -1) return null
      const text = source.slice(at + 1, end)
      if (char === '"' && /@\{|\$\{|@\[|\$\[/.test(text)) return null
      code += ' 0 '
      at = end + 1
    } else if (char === '#' && (at === 0 || /[\s;{}]/.test(source.charAt(at - 1)))) {
      const end = source.indexOf('\n', at)
      at = end === -1 ? source.length : end
    } else if (startsQuote(source, at, code)) {
      const end = quoteEnd(source, at)
      if (end === null) return null
      code += ' 0 '
      at = end
    } else if (char === '<' && /^<(?:\$?\w*)>/.test(source.slice(at, at + 30))) {
      at = source.indexOf('>', at) + 1
      code += ' 0 '
    } else if (char === '/' && patternMayStart.test(code.slice(-12))) {
      const end = closing(source, at + 1, '/')
      if (end === -1 || /\(\?\??\{|@\{|\$\{/.test(source.slice(at, end))) return null
      const flags = /^[a-z]*/.exec(source.slice(end + 1))?.[0] ?? ''
      code += ' 0 '
      at = end + 1 + flags.length
    } else {
      code += char
      at++
    }
  }
  return code
}

/** Behind these a slash opens a pattern; behind a value it divides. */
const patternMayStart = new RegExp(
  '(?:^|[(,=~!{};&|?:]|\\b(?:if|unless|and|or|not|split|grep|map|while|until|return|print))' +
    '\\s*$',
)

function startsQuote(source: string, at: number, code: string): boolean {
  if (/[\w$@%&>]$/.test(code.slice(-1))) return false
  return (
    /^(?:s|m|y|tr|qr|qw|q|qq)\s*[^\w\s,;=)]/.test(source.slice(at, at + 6)) &&
    !/^\w+\s*=>/.test(source.slice(at, at + 12))
  )
}

const pairs: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}', '<': '>' }

/** The end of s///, m//, tr/// and q() with their flags; null when code runs inside. */
function quoteEnd(source: string, from: number): number | null {
  const operator = /^(?:s|m|y|tr|qr|qw|qq|q)/.exec(source.slice(from))?.[0] ?? ''
  const exact = /^(?:qr|qw|qq|tr|q|s|m|y)/.exec(source.slice(from))?.[0] ?? operator
  let at = from + exact.length
  while (source[at] === ' ') at++
  const open = source.charAt(at)
  const close = pairs[open] ?? open
  const first = closing(source, at + 1, close)
  if (first === -1) return null
  const pattern = source.slice(at + 1, first)
  if (/\(\?\??\{|@\{|\$\{/.test(pattern)) return null
  let end = first
  const isDouble = exact === 's' || exact === 'tr' || exact === 'y'
  let replacement = ''
  if (isDouble) {
    if (close !== open) return null
    end = closing(source, first + 1, close)
    if (end === -1) return null
    replacement = source.slice(first + 1, end)
  }
  const flags = /^[a-z]*/.exec(source.slice(end + 1))?.[0] ?? ''
  if (exact === 's' && (flags.includes('e') || /@\{|\$\{/.test(replacement))) return null
  return end + 1 + flags.length
}

function closing(source: string, from: number, quote: string): number {
  for (let at = from; at < source.length; at++) {
    if (source[at] === '\\') at++
    else if (source[at] === quote) return at
  }
  return -1
}
