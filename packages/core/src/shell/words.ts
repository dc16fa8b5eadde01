import { parse, type Word, type WordPart } from 'unbash'
import { phrase } from '../base/text/phrase.ts'
import { walkArithmetic } from './arithmetic.ts'
import { expandBraces, isOddlyBraced } from './braces.ts'
import {
  type Arg,
  type Builder,
  charge,
  newBuilder,
  noteUnknown,
  noteUnproven,
  noteVariable,
  spanOf,
  type Walk,
} from './context.ts'
import type { Span } from './findings.ts'
import { hidesExpansion, holdsExpansion } from './leaves.ts'
import { outputKind } from './outputs.ts'
import { expandParameter } from './parameters.ts'
import {
  anything,
  fork,
  kinds,
  lookUp,
  positionalValue,
  someNumber,
  someWord,
  type Value,
  worse,
} from './scope.ts'

/** Expands a word as an argument: it may become several, or none. */
export function resolveArgument(walk: Walk, word: Word, into: Arg[]): void {
  if (walk.source.charCodeAt(word.end) === 35) {
    const at = spanOf(walk, { pos: word.pos, end: word.end + 1 })
    noteUnknown(walk, 'syntax', at, phrase('sh_hash_in_word'))
  }
  if (word.text.includes('{') && word.text.includes('}') && expandInto(walk, word, into)) return
  resolveUnbraced(walk, word, into)
}

function resolveUnbraced(walk: Walk, word: Word, into: Arg[]): void {
  const { parts } = word
  if (parts === undefined) {
    into.push(literalArg(walk, word))
    return
  }
  const only = parts[0]
  if (parts.length === 1 && only !== undefined && splitsKnown(walk, only, word, into)) return
  const arg = resolveParts(walk, word, parts)
  if (arg.text === '' && !arg.splits && !isQuotedEmpty(parts)) return
  into.push(arg)
}

/**
 * What a redirection leads to. Bash expands braces there and refuses more than one word; to zsh
 * each of them is a target.
 */
export function resolveTargets(walk: Walk, word: Word): readonly Arg[] {
  const targets: Arg[] = []
  const isBraced = word.text.includes('{') && word.text.includes('}')
  if (isBraced && expandInto(walk, word, targets) && targets.length > 0) return targets
  return [resolveSingle(walk, word)]
}

/** Expands a word that stays one word: a value, a here-string, a case word. */
export function resolveSingle(walk: Walk, word: Word): Arg {
  const { parts } = word
  return parts === undefined ? literalArg(walk, word) : resolveParts(walk, word, parts)
}

function literalArg(walk: Walk, word: Word): Arg {
  const { text } = word
  if (hidesExpansion(text, false)) hidden(walk, word)
  const { value } = word
  const at = spanOf(walk, word)
  if (value !== text) noteEscaped(walk, value)
  const verbatim = walk.within === null && value === text ? at.start : -1
  return {
    text: value,
    shape: value,
    kind: kinds.text,
    start: at.start,
    end: at.end,
    splits: false,
    verbatim,
    process: '',
  }
}

function resolveParts(walk: Walk, word: Word, parts: readonly WordPart[]): Arg {
  const builder = newBuilder()
  addParts(walk, parts, builder, false)
  const at = spanOf(walk, word)
  // What is computed may be nothing, and then what follows begins the word.
  const mayBeEmpty = builder.kind > kinds.number || builder.mayBeginEmpty
  const mayBeOption = mayBeEmpty && /^\0+[-+@]/.test(builder.shape)
  return {
    text: builder.isKnown ? builder.shape : null,
    shape: builder.shape,
    kind: mayBeOption ? kinds.any : builder.kind,
    start: at.start,
    end: at.end,
    splits: builder.splits,
    verbatim: verbatimStart(walk, parts),
    process: builder.process,
  }
}

/** Text of one pair of quotes stands in the command as it is, so offsets into it are exact. */
function verbatimStart(walk: Walk, parts: readonly WordPart[]): number {
  const only = parts[0]
  if (parts.length !== 1 || only === undefined || walk.within !== null) return -1
  if (only.type === 'SingleQuoted') return only.pos + walk.base + 1
  if (only.type !== 'DoubleQuoted' || only.parts.length !== 1) return -1
  const inner = only.parts[0]
  if (inner?.type !== 'Literal' || inner.text !== inner.value) return -1
  return inner.pos + walk.base
}

function isQuotedEmpty(parts: readonly WordPart[]): boolean {
  return parts.some(
    (part) =>
      part.type === 'SingleQuoted' ||
      part.type === 'DoubleQuoted' ||
      part.type === 'AnsiCQuoted' ||
      part.type === 'LocaleString',
  )
}

/** An unquoted variable whose value is known becomes the words that bash would split it into. */
function splitsKnown(walk: Walk, part: WordPart, word: Word, into: Arg[]): boolean {
  if (part.type !== 'SimpleExpansion') return false
  const value = lookUp(walk.scope, part.text.slice(1))
  if (value.text === null || walk.scope.oddSplitting) return false
  const at = spanOf(walk, word)
  noteVariable(walk, part.text.slice(1), at)
  for (const text of value.text.split(/[ \t\n]+/)) {
    if (text === '') continue
    const isGlob = /[*?[]/.test(text)
    into.push({
      text: isGlob ? null : text,
      shape: text,
      kind: isGlob ? kinds.name : kinds.text,
      start: at.start,
      end: at.end,
      splits: false,
      verbatim: -1,
      process: '',
    })
  }
  return true
}

/** Braces expand before everything else, so each result is read as a word of its own. */
function expandInto(walk: Walk, word: Word, into: Arg[]): boolean {
  const texts = expandBraces(word.text)
  const at = spanOf(walk, word)
  if (texts !== null && isOddlyBraced(word.text, texts)) {
    noteUnknown(walk, 'syntax', at, phrase('sh_braces_not_read_way'))
  }
  if (texts !== null && texts.length === 1 && texts[0] === word.text) return false
  if (texts === null) {
    noteUnknown(walk, 'syntax', at, phrase('sh_brace_expansion_with_too'))
    into.push({
      ...anything,
      start: at.start,
      end: at.end,
      splits: true,
      verbatim: -1,
      process: '',
    })
    return true
  }
  for (const text of texts) {
    charge(walk, 4)
    const source = `: ${text}`
    const script = parse(source)
    const command = script.commands[0]?.command
    const inner: Walk = { ...walk, source, base: 0, within: at }
    if (script.errors?.length || command?.type !== 'Command' || script.commands.length !== 1) {
      noteUnknown(walk, 'syntax', at, phrase('sh_brace_expansion_cannot_read'))
      continue
    }
    for (const part of command.suffix) {
      if (part.type === 'Word') resolveUnbraced(inner, part, into)
      else noteUnknown(walk, 'syntax', at, phrase('sh_brace_expansion_cannot_read'))
    }
  }
  return true
}

/** Adds the parts of a word in order, walking whatever runs inside them. */
export function addParts(
  walk: Walk,
  parts: readonly WordPart[],
  builder: Builder,
  quoted: boolean,
): void {
  for (const part of parts) addPart(walk, part, builder, quoted)
}

function addPart(walk: Walk, part: WordPart, builder: Builder, quoted: boolean): void {
  charge(walk, 1)
  switch (part.type) {
    case 'Literal':
      if (hidesExpansion(part.text, quoted)) hidden(walk, part)
      builder.shape += part.value
      if (part.value !== part.text) noteEscaped(walk, part.value)
      return
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      // The parser joins lines inside $'…', where bash keeps both characters, and does not know
      // `\x{`, which may end the text.
      if (part.type === 'AnsiCQuoted' && /\\\n|\\x\{/.test(part.text)) hidden(walk, part)
      builder.shape += part.value
      noteEscaped(walk, part.value)
      return
    case 'DoubleQuoted':
      addParts(walk, part.parts, builder, true)
      return
    case 'LocaleString':
      // What a catalogue has in its place is expanded in turn.
      noteUnproven(walk, 'code', spanOf(walk, part), phrase('sh_translated_text'))
      addParts(walk, part.parts, builder, true)
      return
    case 'SimpleExpansion':
      addVariable(walk, part.text.slice(1), spanOf(walk, part), builder, quoted)
      return
    case 'ParameterExpansion':
      builder.mayBeginEmpty ||= builder.shape === ''
      addValue(walk, expandParameter(walk, part, quoted), builder, quoted)
      return
    case 'CommandExpansion':
      addOutput(walk, part, builder, quoted)
      return
    case 'ArithmeticExpansion':
      addArithmetic(walk, part, builder, quoted)
      return
    case 'ProcessSubstitution':
      addProcess(walk, part, builder)
      return
    case 'Glob':
      if (part.parts !== undefined) addParts(walk, part.parts, newBuilder(), quoted)
      addValue(walk, { text: null, shape: part.text, kind: kinds.name }, builder, true)
      return
    case 'ExtendedGlob':
      addExtendedGlob(walk, part, builder, quoted)
      return
    case 'BraceExpansion':
      // Reached where bash does not expand braces, so that they are text.
      if (part.parts !== undefined) addParts(walk, part.parts, builder, quoted)
      else if (/[\\'"]/.test(part.text) || hidesExpansion(part.text, false)) hidden(walk, part)
      else builder.shape += part.text
      return
    default:
      part satisfies never
      hidden(walk, part)
  }
}

type Part<Type extends WordPart['type']> = Extract<WordPart, { type: Type }>

/** What a command prints stands in the word. */
function addOutput(
  walk: Walk,
  part: Part<'CommandExpansion'>,
  builder: Builder,
  quoted: boolean,
): void {
  // Every level is parsed again, so long text in deep nesting has to count by its length.
  charge(walk, part.text.length >> 5)
  const { script } = part
  if (script === undefined) {
    hidden(walk, part)
    return
  }
  walkInner(walk, part, script, walk.stdin)
  const kind = outputKind(script, walk.scope.functions)
  addValue(walk, { text: null, shape: '\0', kind }, builder, quoted)
}

/** The name of a file stands in the word, through which a command is written to or read. */
function addProcess(walk: Walk, part: Part<'ProcessSubstitution'>, builder: Builder): void {
  charge(walk, part.text.length >> 5)
  const { script } = part
  // An empty one leaves nothing at all behind, not the name of a file.
  if (script === undefined || script.commands.length === 0) {
    hidden(walk, part)
    return
  }
  walkInner(walk, part, script, part.operator === '>' ? { kind: 'unknown' } : walk.stdin)
  builder.process = part.operator
  addValue(walk, { text: null, shape: '\0', kind: kinds.path }, builder, true)
}

/** Walks the script inside a word; what it sets is gone with its shell. */
function walkInner(
  walk: Walk,
  part: Part<'CommandExpansion' | 'ProcessSubstitution'>,
  script: NonNullable<(typeof part)['script']>,
  stdin: Walk['stdin'],
): void {
  const within = script.source === undefined ? walk.within : spanOf(walk, part)
  const source = script.source ?? walk.source
  const scope = fork(walk.scope)
  walk.runScript({ ...walk, source, within, scope, stdin, depth: walk.depth + 1 }, script)
}

function addArithmetic(
  walk: Walk,
  part: Part<'ArithmeticExpansion'>,
  builder: Builder,
  quoted: boolean,
): void {
  // Bash may take this for a substitution after all, by its brackets or by a case in it.
  if (!isBalanced(part.text) || part.text.includes('case')) hidden(walk, part)
  charge(walk, part.text.length >> 5)
  walkArithmetic({ ...walk, depth: walk.depth + 1 }, part.expression, spanOf(walk, part))
  addValue(walk, someNumber, builder, quoted || !walk.scope.oddSplitting)
}

function addExtendedGlob(
  walk: Walk,
  part: Part<'ExtendedGlob'>,
  builder: Builder,
  quoted: boolean,
): void {
  if (part.parts !== undefined) addParts(walk, part.parts, newBuilder(), quoted)
  else if (hidesExpansion(part.pattern, false)) hidden(walk, part)
  // To zsh such brackets hold qualifiers, of which some run code.
  if (!/^[\w.*?|-]*$/.test(part.pattern)) {
    noteUnproven(walk, 'code', spanOf(walk, part), phrase('sh_glob_qualifier'))
  }
  addValue(walk, { text: null, shape: '*', kind: kinds.name }, builder, true)
}

function addVariable(walk: Walk, name: string, at: Span, builder: Builder, quoted: boolean): void {
  if (/^[A-Za-z_]/.test(name)) {
    noteVariable(walk, name, at)
    builder.mayBeginEmpty ||= builder.shape === ''
    addValue(walk, lookUp(walk.scope, name), builder, quoted)
    return
  }
  // Before anything runs in the background `$!` is nothing.
  if (name === '#' || name === '?' || name === '$' || name === '!') {
    addValue(walk, name === '!' ? someWord : someNumber, builder, quoted)
    return
  }
  addValue(walk, positionalValue(walk.scope, name), builder, quoted)
}

function addValue(walk: Walk, value: Value, builder: Builder, quoted: boolean): void {
  const isLong = builder.shape.length + value.shape.length > maxWord
  builder.shape += isLong ? '\0' : value.shape
  if (!isLong && value.text !== null && (quoted || isPlain(value.text)) && !walk.scope.oddSplitting)
    return
  builder.isKnown = false
  const isSplit = !quoted && walk.scope.oddSplitting
  const kind = value.text === null && !isSplit ? value.kind : kinds.any
  builder.kind = worse(builder.kind, kind)
  if (!quoted) builder.splits = true
}

/** Of a word that is put together; what the text itself says is bounded already. */
const maxWord = 64 * 1024

const plain = /^[^ \t\n*?[]+$/

/** Unquoted text that is neither split nor globbed. */
function isPlain(text: string): boolean {
  return plain.test(text)
}

/** Escaped text such as `a[\\$(rm f)]` waits to be evaluated. */
function noteEscaped(walk: Walk, value: string): void {
  if (value.includes('[') && holdsExpansion(value)) walk.notes.hasSubscriptText = true
}

function isBalanced(text: string): boolean {
  let open = 0
  for (const char of text) open += char === '(' ? 1 : char === ')' ? -1 : 0
  return open === 0
}

function hidden(walk: Walk, part: { readonly pos: number; readonly end: number }): void {
  noteUnknown(walk, 'syntax', spanOf(walk, part), phrase('sh_part_not_read_way'))
}
