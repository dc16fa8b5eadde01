import type { ParameterExpansionPart, ParameterOperation, Word } from 'unbash'
import { phrase } from '../base/text/phrase.ts'
import { noteEvaluatedWord } from './arithmetic.ts'
import { newBuilder, noteUnknown, noteVariable, spanOf, type Walk } from './context.ts'
import type { Span } from './findings.ts'
import {
  anything,
  assign,
  kinds,
  lookUp,
  positionalValue,
  someNumber,
  somePath,
  someWord,
  type Value,
  worse,
} from './scope.ts'
import { noteAssignment } from './variables.ts'

/** What `${…}` becomes, with everything that runs inside it walked. */
export function expandParameter(walk: Walk, part: ParameterExpansionPart, quoted: boolean): Value {
  const { parameter, prefix, index, operation } = part
  const at = spanOf(walk, part)
  const isName = /^[A-Za-z_]/.test(parameter)
  const listsNames = operation?.type === 'Names'
  const wholeArray = index !== undefined && (index.text === '@' || index.text === '*')
  if (isName && !listsNames && !(prefix === '!' && wholeArray)) noteVariable(walk, parameter, at)
  if (index !== undefined && !wholeArray) noteEvaluatedWord(walk, index, at)
  const before = isName ? lookUp(walk.scope, parameter) : positionalValue(walk.scope, parameter)
  let value = index === undefined ? before : anything
  if (prefix === '!' && !listsNames && !wholeArray) value = readIndirect(walk, before, at)
  if (prefix === '#') value = someNumber
  if (prefix === '!' && (listsNames || wholeArray)) value = somePath
  if (/^[#?$]$/.test(parameter) && operation === undefined) value = someNumber
  if (parameter === '!' && operation === undefined) value = someWord
  if (operation === undefined) return value
  return applyOperation(walk, parameter, value, operation, at, quoted)
}

/** `${!x}` reads the variable that x names. */
function readIndirect(walk: Walk, value: Value, at: Span): Value {
  if (value.text === null) {
    noteVariable(walk, null, at)
    // The name may have a subscript, which is evaluated.
    if (value.kind > kinds.number) walk.notes.evaluatesText ??= at
    return anything
  }
  const name = /^[A-Za-z_]\w*/.exec(value.text)?.[0]
  if (name !== value.text) noteUnknown(walk, 'code', at, phrase('sh_indirect_name_evaluated'))
  if (name !== undefined) noteVariable(walk, name, at)
  return name === undefined ? anything : lookUp(walk.scope, name)
}

function applyOperation(
  walk: Walk,
  parameter: string,
  value: Value,
  operation: ParameterOperation,
  at: Span,
  quoted: boolean,
): Value {
  switch (operation.type) {
    case 'Default': {
      const operand = operandValue(walk, operation.operand, quoted)
      if (operation.operator.endsWith('=')) {
        assign(walk.scope, parameter, anything)
        noteAssignment(walk, parameter, operand, at)
      }
      const looksLikeOption = operand.shape.startsWith('-') || operand.text?.includes(' -')
      const kind = looksLikeOption ? kinds.any : worse(value.kind, operand.kind)
      return { text: null, shape: '\0', kind: worse(kind, kinds.word) }
    }
    case 'Remove': {
      operandValue(walk, operation.operand, quoted)
      // Without its beginning a word may begin with a dash.
      const isCut = operation.operator.startsWith('#') && value.kind !== kinds.number
      return isCut ? anything : computed(value, kinds.word)
    }
    case 'Replace':
      operandValue(walk, operation.pattern, quoted)
      operandValue(walk, operation.replacement, quoted)
      return anything
    case 'Slice':
      noteEvaluatedWord(walk, operation.offset, at)
      if (operation.length !== undefined) noteEvaluatedWord(walk, operation.length, at)
      return anything
    case 'CaseModification':
      if (operation.operand !== undefined) operandValue(walk, operation.operand, quoted)
      return computed(value, kinds.word)
    case 'Transform': {
      const letter = operation.operand.text
      if (!/^[QEAaKkULu]$/.test(letter)) {
        noteUnknown(walk, 'code', at, phrase('sh_expansion_with_p_runs'))
      }
      return letter === 'Q' ? computed(value, kinds.word) : anything
    }
    case 'Names':
      return somePath
    case 'Unknown':
      noteUnknown(walk, 'syntax', at, phrase('sh_expansion_not_read_way'))
      return anything
    default:
      operation satisfies never
      return anything
  }
}

function computed(value: Value, least: Value['kind']): Value {
  if (value.text?.startsWith('-')) return anything
  return { text: null, shape: '\0', kind: worse(value.kind, least) }
}

/**
 * The operand of an expansion. Inside double quotes single quotes do not protect, so a quoted
 * piece that holds an expansion is not what the tree says it is.
 */
function operandValue(walk: Walk, word: Word, quoted: boolean): Value {
  const parts = word.parts
  if (parts === undefined) return walk.resolveSingle(walk, word)
  if (quoted) {
    for (const part of parts) {
      const isQuote = part.type === 'SingleQuoted' || part.type === 'AnsiCQuoted'
      if (isQuote && /[$`]/.test(part.text.replace(/^\$/, ''))) {
        noteUnknown(walk, 'syntax', spanOf(walk, part), phrase('sh_quotes_do_not_protect'))
      }
    }
  }
  const builder = newBuilder()
  walk.addParts(walk, parts, builder, quoted)
  return {
    text: builder.isKnown ? builder.shape : null,
    shape: builder.shape,
    kind: builder.kind,
  }
}
