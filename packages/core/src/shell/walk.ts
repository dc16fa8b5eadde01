import type { ParsedScript, PipelineNode, Statement, TestExpression, Word } from 'unbash'
import { phrase } from '../base/text/phrase.ts'
import { noteArithmeticText, walkArithmetic } from './arithmetic.ts'
import { type Arg, charge, noteUnknown, spanOf, tooMuch, type Walk } from './context.ts'
import type { Span } from './findings.ts'
import { noteName } from './names.ts'
import { pipelineKind } from './outputs.ts'
import { walkRedirects } from './redirects.ts'
import {
  anything,
  assign,
  forgetWhatChanges,
  fork,
  joinBranch,
  kinds,
  type Stdin,
  someNumber,
  type Value,
  watchChanges,
} from './scope.ts'
import { walkSimple } from './simple-command.ts'
import { noteAssignment } from './variables.ts'
import { resolveArgument, resolveSingle } from './words.ts'
import { noteFiles } from './workspace-files.ts'

export function walkScript(walk: Walk, script: ParsedScript): void {
  if (script.errors !== undefined && script.errors.length > 0) {
    const { message, pos } = script.errors[0] ?? { message: '', pos: script.pos }
    const at = spanOf(walk, { pos, end: pos + 1 })
    noteUnknown(walk, 'syntax', at, phrase('sh_cannot_parsed', { message }))
  }
  walkStatements(walk, script.commands)
}

function walkStatements(walk: Walk, statements: readonly Statement[]): void {
  charge(walk, 1 + statements.length)
  for (const statement of statements) {
    if (statement.background === true) {
      const message = phrase('sh_starts_work_background')
      walk.notes.background.push({ ...spanOf(walk, statement), message })
      walkNode({ ...walk, scope: fork(walk.scope) }, statement.command)
      continue
    }
    walkNode(walk, statement.command)
  }
}

function walkNode(walk: Walk, node: Statement['command']): void {
  if (node.type === 'AndOr') {
    node.commands.forEach((command, index) => {
      if (index === 0) walkNode(walk, command)
      else walkBranch(walk, () => walkNode(walk, command))
    })
    return
  }
  if (node.type === 'Pipeline') {
    noteTimed(walk, node)
    walkPipeline(walk, node.commands)
    return
  }
  walkCommand(walk, node)
}

/** Where sh reads the script, `time -p` is a program, and what follows is its arguments. */
function noteTimed(walk: Walk, node: Node<'Pipeline'>): void {
  const hasOption = node.prefixes.some((it) => it.type === 'Time' && (it.posix ?? it.endOfOptions))
  if (hasOption && node.commands[0]?.type !== 'Command') {
    noteUnknown(walk, 'syntax', spanOf(walk, node), phrase('sh_time_with_option_read'))
  }
}

/** A part that may not run: what it sets is not known afterwards. */
function walkBranch(walk: Walk, body: () => void): void {
  charge(walk, 1 + (walk.scope.values.size >> 2))
  const before = new Map(walk.scope.values)
  body()
  joinBranch(walk.scope, before)
}

function walkPipeline(walk: Walk, commands: readonly PipelineNode[]): void {
  if (commands.length === 1 && commands[0] !== undefined) {
    walkNode(walk, commands[0])
    return
  }
  if (commands.length > 300) throw new Error(tooMuch)
  commands.forEach((command, index) => {
    charge(walk, 1 + (walk.scope.values.size >> 2))
    const scope = fork(walk.scope)
    if (index === 0) {
      walkNode({ ...walk, scope }, command)
      return
    }
    const output = pipelineKind(commands.slice(0, index), walk.scope.functions)
    const names = output === kinds.name ? 'names' : 'paths'
    const stdin: Stdin = literalOutput(walk, commands[index - 1], index) ?? {
      kind: output < kinds.outside ? names : 'unknown',
    }
    walkNode({ ...walk, scope, stdin }, command)
    // With lastpipe the last part runs in this shell, so what it sets may remain.
    joinFrom(walk, scope.values)
    if (scope.oddSplitting) walk.scope.oddSplitting = true
  })
}

function joinFrom(walk: Walk, values: ReadonlyMap<string, Value>): void {
  for (const [name, value] of values) {
    if (walk.scope.values.get(name) !== value) walk.scope.values.set(name, anything)
  }
}

/** `echo 'ls' | sh` can be read: the text of the script stands in the command. */
function literalOutput(walk: Walk, node: PipelineNode | undefined, index: number): Stdin | null {
  if (index !== 1 || node?.type !== 'Command' || node.prefix.length > 0) return null
  if (node.name?.text !== 'echo') return null
  const texts: string[] = []
  for (const part of node.suffix) {
    if (part.type !== 'Word') return null
    const plain = part.parts === undefined || part.parts.every((piece) => isQuotedText(piece))
    if (!plain || part.value.includes('\\') || part.value.startsWith('-')) return null
    texts.push(part.value)
  }
  const first = node.suffix[0]
  if (first === undefined) return { kind: 'empty' }
  return { kind: 'text', text: texts.join(' '), at: spanOf(walk, node), verbatim: -1 }
}

function isQuotedText(piece: { readonly type: string }): boolean {
  return piece.type === 'SingleQuoted'
}

function walkCommand(walk: Walk, node: Exclude<PipelineNode, { type: 'Pipeline' }>): void {
  walk.notes.steps++
  switch (node.type) {
    case 'Command':
      walkSimple(walk, node)
      return
    case 'Redirected': {
      const stdin = walkRedirects(walk, node.redirects, null)
      walkCommand({ ...walk, stdin, depth: walk.depth + 1 }, node.command)
      return
    }
    case 'Subshell':
      walkStatements({ ...deeper(walk), scope: fork(walk.scope) }, node.body.commands)
      return
    case 'BraceGroup':
      walkStatements(deeper(walk), node.body.commands)
      return
    case 'If':
      walkIf(walk, node)
      return
    case 'While':
      loop(walk, node, () => {
        walkStatements(deeper(walk), node.clause.commands)
        walkStatements(deeper(walk), node.body.commands)
      })
      return
    case 'For':
    case 'Select':
      walkFor(walk, node)
      return
    case 'ArithmeticFor':
      walkArithmeticFor(walk, node)
      return
    case 'Case':
      walkCase(walk, node)
      return
    case 'Function':
      walkFunction(walk, node)
      return
    case 'Coproc':
      walkCoprocess(walk, node)
      return
    case 'TestCommand':
      walkTest(walk, node.expression)
      return
    case 'ArithmeticCommand':
      walkArithmeticCommand(walk, node)
      return
    default:
      node satisfies never
      noteUnknown(walk, 'syntax', { start: 0, end: 0 }, phrase('sh_form_not_known'))
  }
}

type Node<Type extends PipelineNode['type']> = Extract<PipelineNode, { type: Type }>

function deeper(walk: Walk): Walk {
  return { ...walk, depth: walk.depth + 1 }
}

function walkIf(walk: Walk, node: Node<'If'>): void {
  walkStatements(deeper(walk), node.clause.commands)
  walkBranch(walk, () => walkStatements(deeper(walk), node.then.commands))
  for (const branch of node.elif) {
    walkBranch(walk, () => {
      walkStatements(deeper(walk), branch.clause.commands)
      walkStatements(deeper(walk), branch.then.commands)
    })
  }
  const otherwise = node.else
  if (otherwise) walkBranch(walk, () => walkStatements(deeper(walk), otherwise.commands))
}

function walkFor(walk: Walk, node: Node<'For' | 'Select'>): void {
  const items: Arg[] = []
  for (const word of node.wordlist ?? []) resolveArgument(walk, word, items)
  noteFiles(walk, 'for', items)
  loop(walk, node, () => {
    const value = node.wordlist ? loopValue(items) : anything
    noteAssignment(walk, node.name.value, value, spanOf(walk, node.name))
    assign(walk.scope, node.name.value, value)
    walkStatements(deeper(walk), node.body.commands)
  })
}

function walkArithmeticFor(walk: Walk, node: Node<'ArithmeticFor'>): void {
  const at = spanOf(walk, node)
  loop(walk, node, () => {
    walkArithmetic(walk, node.initialize, at)
    walkArithmetic(walk, node.test, at)
    walkArithmetic(walk, node.update, at)
    walkStatements(deeper(walk), node.body.commands)
    // The next round evaluates what the body has set.
    walkArithmetic(walk, node.test, at)
    walkArithmetic(walk, node.update, at)
  })
}

function walkFunction(walk: Walk, node: Node<'Function'>): void {
  const name = node.name.value
  const at = spanOf(walk, node.name)
  const message = phrase('sh_defines_function', { name })
  walk.notes.takeovers.push({ how: 'function', name, ...at, message })
  const scope = { ...fork(walk.scope), positional: null, isFunction: true }
  charge(walk, scope.values.size * (1 + (walk.source.length >> 12)))
  forgetWhatChanges(scope, walk.source)
  const changed = watchChanges(scope)
  walkFunctionBody({ ...deeper(walk), scope, stdin: { kind: 'unknown' } }, node.body)
  for (const each of changed()) walk.notes.setByFunctions.add(each)
  if (scope.oddSplitting) walk.scope.oddSplitting = true
  walk.scope.functions.add(name)
}

function walkCoprocess(walk: Walk, node: Node<'Coproc'>): void {
  const message = phrase('sh_starts_coprocess')
  walk.notes.background.push({ ...spanOf(walk, node), message })
  // Its name becomes a variable with two numbers.
  const name = /^coproc\s+(\w+)/.exec(walk.source.slice(node.pos, node.end))?.[1]
  if (name !== undefined) {
    noteAssignment(walk, name, someNumber, spanOf(walk, node))
    assign(walk.scope, name, someNumber)
  }
  const scope = fork(walk.scope)
  walkFunctionBody({ ...deeper(walk), scope, stdin: { kind: 'unknown' } }, node.body)
}

function walkCase(walk: Walk, node: Node<'Case'>): void {
  resolveSingle(walk, node.word)
  for (const item of node.items) {
    for (const pattern of item.pattern) resolveSingle(walk, pattern)
    walkBranch(walk, () => walkStatements(deeper(walk), item.body.commands))
  }
}

function walkArithmeticCommand(walk: Walk, node: Node<'ArithmeticCommand'>): void {
  if (node.body.includes('case') || (node.expression === undefined && node.body.trim() !== '')) {
    noteUnknown(walk, 'syntax', spanOf(walk, node), phrase('sh_arithmetic_cannot_read'))
  }
  walkArithmetic(walk, node.expression, spanOf(walk, node))
  forgetAssigned(walk, node.body, spanOf(walk, node))
}

type Body = Node<'Function' | 'Coproc'>['body']

function walkFunctionBody(walk: Walk, body: Body): void {
  if (body.type === 'CompoundList') {
    noteUnknown(walk, 'syntax', spanOf(walk, body), phrase('sh_body_cannot_read'))
    walkStatements(walk, body.commands)
    return
  }
  walkCommand(walk, body)
}

/** Later rounds see what earlier rounds have set, so nothing the loop sets is known in it. */
function loop(walk: Walk, node: { readonly pos: number; readonly end: number }, body: () => void) {
  const { size } = walk.scope.values
  if (size > 0) {
    if (setsSplitting(walk.source.slice(node.pos, node.end))) walk.scope.oddSplitting = true
    charge(walk, size * (1 + ((node.end - node.pos) >> 12)))
    forgetWhatChanges(walk.scope, walk.source.slice(node.pos, node.end))
  }
  walkBranch(walk, body)
}

const splitForRead = /\bIFS=(?:'[^']*'|"[^"]*"|\$'[^']*'|[^\s;|&'"]*)\s+read\b/g

/** `while IFS= read` sets it for read alone; anything else may reach a later round. */
function setsSplitting(body: string): boolean {
  return body.includes('IFS') && body.replace(splitForRead, '').includes('IFS')
}

function loopValue(items: readonly Arg[]): Value {
  const only = items[0]
  if (items.length === 1 && only !== undefined && only.kind !== kinds.name) return only
  // With an empty word what follows it would begin the whole.
  if (items.some(({ text }) => text === '')) return anything
  let kind: Value['kind'] = kinds.number
  for (const item of items) {
    const own = item.text === null ? listKind(item) : itemKind(item.text)
    if (own > kind) kind = own
  }
  return { text: null, shape: '\0', kind }
}

/** What `./*` stands for begins with a folder. */
function listKind({ kind, shape }: Arg): Value['kind'] {
  return kind === kinds.name && !/^[\0*?[]/.test(shape) ? kinds.path : kind
}

function itemKind(text: string): Value['kind'] {
  if (text.startsWith('-') || /\s-/.test(text) || /[$`]/.test(text)) return kinds.any
  return /^\d+$/.test(text) ? kinds.number : kinds.path
}

/** `(( x = 1 ))` sets x. */
function forgetAssigned(walk: Walk, text: string, at: Span): void {
  for (const match of text.matchAll(/([A-Za-z_]\w*)\s*(?:[-+*/%&|^<>]*=(?!=)|\+\+|--)/g)) {
    noteAssignment(walk, match[1] ?? '', someNumber, at)
    assign(walk.scope, match[1] ?? '', someNumber)
  }
}

const arithmeticTests = new Set(['-eq', '-ne', '-lt', '-le', '-gt', '-ge'])

function walkTest(walk: Walk, test: TestExpression): void {
  walk.notes.steps++
  switch (test.type) {
    case 'TestUnary': {
      const operand = resolveSingle(walk, test.operand)
      if (test.operator === '-v' || test.operator === '-R') noteName(walk, operand)
      return
    }
    case 'TestBinary': {
      const evaluates = arithmeticTests.has(test.operator)
      evaluateSide(walk, test.left, evaluates)
      evaluateSide(walk, test.right, evaluates)
      return
    }
    case 'TestLogical':
      for (const operand of test.operands) walkTest(walk, operand)
      return
    case 'TestNot':
      walkTest(walk, test.operand)
      return
    case 'TestGroup':
      walkTest(walk, test.expression)
      return
    default:
      test satisfies never
  }
}

function evaluateSide(walk: Walk, word: Word, evaluates: boolean): void {
  const side = resolveSingle(walk, word)
  if (!evaluates) return
  const at: Span = side
  if (side.text === null) {
    if (side.kind > kinds.number) walk.notes.evaluatesText ??= at
  } else if (/[$`]/.test(side.text)) {
    noteUnknown(walk, 'code', at, phrase('sh_arithmetic_runs_substitution_text'))
  } else {
    noteArithmeticText(walk, side.text, at)
  }
}
