/** What an awk program does beside reading and printing. */
export interface AwkEffects {
  /** Files that `getline` reads; null when the name is computed. */
  readonly reads: (string | null)[]
  /** Files written; null when the name is computed. */
  readonly writes: (string | null)[]
  /** Command lines run; null when computed. */
  readonly runs: (string | null)[]
  readsEnvironment: boolean
  /** Variables read by literal names. */
  readonly variables: string[]
  /** It loads other code. */
  loads: boolean
}

interface Token {
  readonly type: 'word' | 'number' | 'string' | 'regex' | 'operator' | 'newline'
  readonly text: string
}

/** Reads an awk program by its tokens. Null when it is not understood. */
export function readAwkScript(script: string): AwkEffects | null {
  const tokens = tokenize(script)
  if (tokens === null) return null
  const effects: AwkEffects = {
    reads: [],
    writes: [],
    runs: [],
    readsEnvironment: false,
    variables: [],
    loads: false,
  }
  const reading: Reading = { tokens, effects, printDepth: -1, depth: 0, readsFile: false }
  tokens.forEach(({ type, text }, at) => {
    if (type === 'newline') reading.printDepth = -1
    else if (type === 'word') readWord(reading, text, at)
    else if (type === 'operator') readOperator(reading, text, at)
  })
  return effects
}

interface Reading {
  readonly tokens: readonly Token[]
  readonly effects: AwkEffects
  /** Where a print statement began, by depth of brackets: there `>` is a redirect. */
  printDepth: number
  depth: number
  readsFile: boolean
}

function readWord(reading: Reading, word: string, at: number): void {
  const { tokens, effects, depth } = reading
  if (word === 'print' || word === 'printf') reading.printDepth = depth
  else if (word === 'system' && tokens[at + 1]?.text === '(') readSystem(tokens, at + 2, effects)
  else if (word === 'ENVIRON') readVariable(tokens, at + 1, effects)
  else if (word === 'getline') reading.readsFile = true
  else if (word === 'PROCINFO') effects.readsEnvironment = true
}

function readOperator(reading: Reading, operator: string, at: number): void {
  const { tokens, effects } = reading
  switch (operator) {
    case '(':
    case '[':
      reading.depth++
      break
    case ')':
    case ']':
      reading.depth--
      if (reading.depth < reading.printDepth) reading.printDepth = -1
      break
    case '{':
    case '}':
    case ';':
      reading.printDepth = -1
      break
    case '@':
      effects.loads = true
      break
    case '<':
      if (reading.readsFile) effects.reads.push(literalTarget(tokens, at + 1, ')'))
      break
    case '>':
    case '>>':
      if (reading.printDepth === reading.depth) effects.writes.push(literalTarget(tokens, at + 1))
      break
    case '|':
    case '|&':
      readPipe(tokens, at, effects)
      break
    default:
      // Other operators touch no file.
      break
  }
}

/** `ENVIRON["X"]` reads one variable; any other use can reach all of them. */
function readVariable(tokens: readonly Token[], at: number, effects: AwkEffects): void {
  const name = tokens[at + 1]
  const isOne = tokens[at]?.text === '[' && name?.type === 'string' && tokens[at + 2]?.text === ']'
  if (isOne && /^\w+$/.test(name.text)) effects.variables.push(name.text)
  else effects.readsEnvironment = true
}

function readSystem(tokens: readonly Token[], at: number, effects: AwkEffects): void {
  const argument = tokens[at]
  const isWhole = argument?.type === 'string' && tokens[at + 1]?.text === ')'
  effects.runs.push(isWhole ? argument.text : null)
}

/** `print | "cmd"` and `"cmd" | getline` both start a command. */
function readPipe(tokens: readonly Token[], at: number, effects: AwkEffects): void {
  const next = tokens[at + 1]
  if (next?.type === 'word' && next.text === 'getline') {
    const before = tokens[at - 1]
    const isAlone = before?.type === 'string' && startsExpression(tokens[at - 2])
    effects.runs.push(isAlone ? before.text : null)
    return
  }
  effects.runs.push(literalTarget(tokens, at + 1))
}

function startsExpression(token: Token | undefined): boolean {
  if (token === undefined || token.type === 'newline') return true
  return token.type === 'operator' && ['{', '(', ';', '}', '&&', '||', '!'].includes(token.text)
}

/** A target that is one string and nothing else. */
function literalTarget(tokens: readonly Token[], at: number, end?: string): string | null {
  const target = tokens[at]
  const after = tokens[at + 1]
  if (target?.type !== 'string') return null
  const ends =
    after === undefined || after.type === 'newline' || [';', '}', end].includes(after.text)
  return ends ? target.text : null
}

const operators = [
  '>>',
  '|&',
  '||',
  '&&',
  '==',
  '!=',
  '<=',
  '>=',
  '+=',
  '-=',
  '*=',
  '/=',
  '%=',
  '^=',
  '++',
  '--',
  '**',
]

function tokenize(script: string): Token[] | null {
  const tokens: Token[] = []
  let at = 0
  while (at < script.length) {
    const char = script.charAt(at)
    if (char === ' ' || char === '\t' || char === '\r') {
      at++
    } else if (char === '\\' && script[at + 1] === '\n') {
      at += 2
    } else if (char === '\n') {
      // Behind these a statement goes on in the next line.
      const last = tokens.at(-1)
      const goesOn = last?.type === 'operator' && [',', '&&', '||', '?', ':'].includes(last.text)
      if (!goesOn) tokens.push({ type: 'newline', text: '\n' })
      at++
    } else if (char === '#') {
      const end = script.indexOf('\n', at)
      at = end === -1 ? script.length : end
    } else if (char === '"') {
      const end = stringEnd(script, at)
      if (end === -1) return null
      const raw = script.slice(at + 1, end)
      // Escapes in a file name or a command are not decoded, so such text counts as computed.
      tokens.push({ type: raw.includes('\\') ? 'number' : 'string', text: raw })
      at = end + 1
    } else if (char === '/' && tokens.at(-1)?.text === 'getline') {
      return null
    } else if (char === '/' && regexMayStart(tokens)) {
      const end = regexEnd(script, at)
      if (end === -1) return null
      tokens.push({ type: 'regex', text: '' })
      at = end + 1
    } else {
      at = readPlain(script, at, tokens)
    }
  }
  return tokens
}

const wordPattern = /[A-Za-z_]\w*(?:::\w+)?/y
const numberPattern = /\d[\w.]*|\.\d[\w.]*/y

function readPlain(script: string, at: number, tokens: Token[]): number {
  for (const [pattern, type] of [
    [wordPattern, 'word'],
    [numberPattern, 'number'],
  ] as const) {
    pattern.lastIndex = at
    const match = pattern.exec(script)
    if (match !== null) {
      tokens.push({ type, text: match[0] })
      return at + match[0].length
    }
  }
  const two = script.slice(at, at + 2)
  const text = operators.includes(two) ? two : script.charAt(at)
  tokens.push({ type: 'operator', text })
  return at + text.length
}

/** After a value a slash divides; elsewhere it opens a regular expression. */
function regexMayStart(tokens: readonly Token[]): boolean {
  const before = tokens.at(-1)
  if (before === undefined || before.type === 'newline') return true
  if (before.text === ')' && before.type === 'operator') return closesCondition(tokens)
  if (before.type === 'operator') return ![']', '$', '++', '--'].includes(before.text)
  return before.type === 'word' && /^(?:print|printf|return|else|do|case)$/.test(before.text)
}

/** Behind `if (…)` a statement begins, not the rest of a value. */
function closesCondition(tokens: readonly Token[]): boolean {
  let depth = 0
  for (let at = tokens.length - 1; at >= 0; at--) {
    const { type, text } = tokens[at] as Token // The index is inside the list.
    if (type !== 'operator') continue
    if (text === ')') depth++
    if (text === '(') depth--
    if (depth === 0) return /^(?:if|while|for|switch)$/.test(tokens[at - 1]?.text ?? '')
  }
  return false
}

function stringEnd(script: string, from: number): number {
  for (let at = from + 1; at < script.length; at++) {
    if (script[at] === '\\') at++
    else if (script[at] === '"') return at
    else if (script[at] === '\n') return -1
  }
  return -1
}

function regexEnd(script: string, from: number): number {
  let inBracket = false
  for (let at = from + 1; at < script.length; at++) {
    const char = script[at]
    if (char === '\\') at++
    else if (char === '\n') return -1
    else if (inBracket) {
      const next = script[at + 1]
      if (char === ']') inBracket = false
      else if (char === '[' && (next === ':' || next === '.' || next === '=')) {
        const close = script.indexOf(`${next}]`, at + 2)
        if (close !== -1) at = close + 1
      }
    } else if (char === '[') {
      inBracket = true
      if (script[at + 1] === '^') at++
      if (script[at + 1] === ']') at++
    } else if (char === '/') return at
  }
  return -1
}
