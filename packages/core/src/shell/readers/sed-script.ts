/** What the commands of a sed script touch; null in `runs` is the pattern space itself. */
export interface SedEffects {
  readonly reads: string[]
  readonly writes: string[]
  readonly runs: (string | null)[]
}

/** Reads a sed script. Null when it is not understood. */
export function readSedScript(script: string): SedEffects | null {
  const effects: SedEffects = { reads: [], writes: [], runs: [] }
  let at = 0
  while (at < script.length) {
    const next = readCommand(script, at, effects)
    if (next === -1) return null
    at = next
  }
  return effects
}

function skip(script: string, from: number, chars: string): number {
  let at = from
  while (at < script.length && chars.includes(script.charAt(at))) at++
  return at
}

function readCommand(script: string, from: number, effects: SedEffects): number {
  let at = skip(script, from, ' \t\n;')
  at = readAddresses(script, at)
  if (at === -1) return -1
  at = skip(script, at, ' \t!')
  const command = script[at]
  if (command === undefined) return at
  const rest = at + 1
  switch (command) {
    case '{':
    case '}':
      return rest
    case '#':
      return lineEnd(script, rest)
    case 'a':
    case 'i':
    case 'c':
      return textEnd(script, rest)
    case ':':
    case 'b':
    case 't':
    case 'T':
      return labelEnd(script, rest)
    case 'r':
    case 'R': {
      const end = lineEnd(script, rest)
      effects.reads.push(script.slice(rest, end).trim())
      return end
    }
    case 'w':
    case 'W': {
      const end = lineEnd(script, rest)
      effects.writes.push(script.slice(rest, end).trim())
      return end
    }
    case 'e': {
      const end = lineEnd(script, rest)
      const text = script.slice(rest, end).trim()
      effects.runs.push(text === '' ? null : text)
      return end
    }
    case 's':
      return readSubstitute(script, rest, effects)
    case 'y':
      return readTransliterate(script, rest)
    case 'q':
    case 'Q':
    case 'l':
    case 'L':
      return skip(script, skip(script, rest, ' \t'), '0123456789')
    case 'v': {
      let end = skip(script, rest, ' \t')
      while (end < script.length && !/[\s;}]/.test(script.charAt(end))) end++
      return afterCommand(script, end)
    }
    default:
      return '=dDFgGhHnNpPxz'.includes(command) ? afterCommand(script, rest) : -1
  }
}

/** Behind a plain command only a separator may stand. */
function afterCommand(script: string, from: number): number {
  const at = skip(script, from, ' \t')
  const next = script[at]
  return next === undefined || ';\n}#'.includes(next) ? at : -1
}

function lineEnd(script: string, from: number): number {
  const end = script.indexOf('\n', from)
  return end === -1 ? script.length : end + 1
}

/** To some a label goes on until the line ends, to others a blank ends it: no more may follow. */
function labelEnd(script: string, from: number): number {
  let at = skip(script, from, ' \t')
  while (at < script.length && !' \t;\n}'.includes(script.charAt(at))) at++
  return afterCommand(script, at)
}

/** Text of a, i and c goes on while lines end in a backslash. */
function textEnd(script: string, from: number): number {
  let at = from
  for (;;) {
    const end = script.indexOf('\n', at)
    if (end === -1) return script.length
    // Two backslashes are one that goes on with nothing.
    const slashes = /\\*$/.exec(script.slice(at, end))?.[0].length ?? 0
    if (slashes % 2 === 0) return end + 1
    at = end + 1
  }
}

function readAddresses(script: string, from: number): number {
  let at = readAddress(script, from)
  if (at === -1 || at === from) return at
  at = skip(script, at, ' \t')
  if (script[at] !== ',') return at
  return readAddress(script, skip(script, at + 1, ' \t'))
}

function readAddress(script: string, from: number): number {
  const char = script[from]
  if (char === undefined) return from
  if (char === '$') return from + 1
  if ('0123456789+~'.includes(char)) return skip(script, from + 1, '0123456789~')
  if (char !== '/' && char !== '\\') return from
  const open = char === '/' ? from : from + 1
  const end = skipDelimited(script, open, open, true)
  return end === -1 ? -1 : skip(script, end + 1, 'IM')
}

/**
 * The position of the next delimiter behind `from`; the delimiter is the character at `opener`.
 * A delimiter in a bracket expression does not count, nor one behind a backslash.
 */
function skipDelimited(script: string, from: number, opener: number, isRegex = false): number {
  const delimiter = script[opener]
  if (from === -1 || delimiter === undefined || delimiter === '\n' || delimiter === '\\') return -1
  for (let at = from + 1; at < script.length; at++) {
    const char = script[at]
    if (char === '\\') at++
    else if (char === delimiter) return at
    else if (char === '[' && isRegex) at = bracketEnd(script, at)
  }
  return -1
}

/** The last character of a bracket expression; `]` right behind the bracket is an element. */
function bracketEnd(script: string, open: number): number {
  let at = script[open + 1] === '^' ? open + 2 : open + 1
  if (script[at] === ']') at++
  for (; at < script.length; at++) {
    const char = script[at]
    if (char === ']') return at
    if (char === '\n') return open
    const next = script[at + 1]
    if (char === '[' && (next === ':' || next === '.' || next === '=')) {
      const end = script.indexOf(`${next}]`, at + 2)
      if (end === -1) return open
      at = end + 1
    }
  }
  return open
}

function readTransliterate(script: string, opener: number): number {
  const end = skipDelimited(script, skipDelimited(script, opener, opener), opener)
  return end === -1 ? -1 : afterCommand(script, end + 1)
}

function readSubstitute(script: string, opener: number, effects: SedEffects): number {
  const middle = skipDelimited(script, opener, opener, true)
  const end = skipDelimited(script, middle, opener)
  if (end === -1) return -1
  let at = end + 1
  for (; at < script.length; at++) {
    const flag = script.charAt(at)
    if ('gpiIMm0123456789'.includes(flag)) continue
    if (flag === 'e') {
      effects.runs.push(null)
      continue
    }
    if (flag === 'w') {
      const stop = lineEnd(script, at)
      effects.writes.push(script.slice(at + 1, stop).trim())
      return stop
    }
    break
  }
  return afterCommand(script, at)
}
