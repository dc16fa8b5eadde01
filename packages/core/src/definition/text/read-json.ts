import { findNodeAtLocation, type Node, parseTree, printParseErrorCode, visit } from 'jsonc-parser'
import { limits } from '../../base/limits.ts'
import { type Finding, finding, type Path } from '../finding.ts'
import { positionFinder } from './position.ts'
import { type Part, type Source, scalarFault, unreadable } from './source.ts'

/** Reads strict JSON: no comments, no trailing commas, no name twice in one object. */
export function readJson(text: string): Source {
  const positionAt = positionFinder(text)
  const tooDeepAt = depthFault(text)
  if (tooDeepAt !== undefined) {
    const message = `Values are nested more than ${limits.definitionDepth} deep.`
    return unreadable(finding('too_deep', [], message), positionAt(tooDeepAt))
  }
  const { value, findings, fault } = build(text)
  if (fault !== undefined) {
    return unreadable(finding('syntax', [], describe(fault.code)), positionAt(fault.offset))
  }
  let root: Node | undefined
  return {
    value,
    findings: findings.map(({ offset, ...rest }) => ({ ...rest, ...positionAt(offset) })),
    locate: (path, part) => {
      root ??= parseTree(text)
      const node = nearestNode(root, path, part)
      return node === undefined ? undefined : positionAt(node.offset)
    },
  }
}

/**
 * Where the text is nested too deep, or undefined. This comes first because the parser calls itself
 * for each level: a megabyte of brackets would end it with an overflown stack.
 */
function depthFault(text: string): number | undefined {
  let depth = 0
  let isQuoted = false
  for (let index = 0; index < text.length; index++) {
    const character = text[index]
    if (isQuoted && character === '\\') index++
    else if (character === '"') isQuoted = !isQuoted
    else if (!isQuoted && (character === '{' || character === '[')) depth++
    else if (!isQuoted && (character === '}' || character === ']')) depth--
    // A quote that ends on no line would hide all brackets after it; JSON has no such texts.
    if (character === '\n') isQuoted = false
    if (depth > limits.definitionDepth) return index
  }
  return undefined
}

type Container = { readonly value: Record<string, unknown> | unknown[]; key: string }

interface Built {
  readonly value: unknown
  readonly findings: (Finding & { readonly offset: number })[]
  readonly fault: { readonly code: number; readonly offset: number } | undefined
}

function build(text: string): Built {
  const top: unknown[] = []
  const stack: Container[] = [{ value: top, key: '' }]
  const findings: Built['findings'] = []
  let fault: Built['fault']

  const put = (value: unknown) => {
    const into = stack.at(-1)
    if (into === undefined) return
    if (Array.isArray(into.value)) into.value.push(value)
    else if (into.key !== '__proto__') into.value[into.key] = value
  }
  const open = (value: Container['value']) => {
    put(value)
    stack.push({ value, key: '' })
  }
  const close = () => {
    stack.pop()
  }
  visit(
    text,
    {
      onObjectBegin: () => open({}),
      onArrayBegin: () => open([]),
      onObjectEnd: close,
      onArrayEnd: close,
      onObjectProperty: (name, offset, _length, _line, _character, parent) => {
        const into = stack.at(-1)
        if (into === undefined || Array.isArray(into.value)) return
        into.key = name
        const path = () => [...parent(), name]
        if (name === '__proto__') {
          findings.push({ ...protoFinding(path()), offset })
        } else if (Object.hasOwn(into.value, name)) {
          const twice = `"${name}" appears twice in one object; only one of them would take effect.`
          findings.push({ ...finding('duplicate_key', path(), twice), offset })
        }
      },
      onLiteralValue: (value, offset, _length, _line, _character, path) => {
        const wrong = scalarFault(value)
        if (wrong !== undefined) {
          findings.push({ ...finding('wrong_value', path(), wrong), offset })
        }
        put(value)
      },
      onError: (code, offset) => {
        fault ??= { code, offset }
      },
    },
    { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false },
  )
  return { value: top[0], findings, fault }
}

export function protoFinding(path: Path): Finding {
  return finding('reserved_name', path, '"__proto__" cannot be used as a name.')
}

function nearestNode(root: Node | undefined, path: Path, part: Part): Node | undefined {
  if (root === undefined) return undefined
  for (let length = path.length; length > 0; length--) {
    const node = findNodeAtLocation(root, path.slice(0, length))
    if (node === undefined) continue
    const isMember = node.parent?.type === 'property'
    // The brace of an object says less to a reader than the name in front of it.
    const wantsKey = part === 'key' || node.type === 'object' || length < path.length
    return isMember && wantsKey ? node.parent?.children?.[0] : node
  }
  return root
}

function describe(code: number): string {
  switch (printParseErrorCode(code)) {
    case 'InvalidCommentToken':
      return 'JSON has no comments. Remove it, or write the definition in YAML.'
    case 'PropertyNameExpected':
      return 'This is not JSON: a name in double quotes is expected here (is a comma left over?).'
    case 'ValueExpected':
      return 'This is not JSON: a value is expected here (is a comma left over?).'
    case 'ColonExpected':
      return 'This is not JSON: a colon is expected here.'
    case 'CommaExpected':
      return 'This is not JSON: a comma is expected here.'
    case 'CloseBraceExpected':
      return 'This is not JSON: the text ends before its last "}".'
    case 'CloseBracketExpected':
      return 'This is not JSON: the text ends before its last "]".'
    case 'EndOfFileExpected':
      return 'This is not JSON: more text follows after the end of the definition.'
    case 'UnexpectedEndOfString':
      return 'This is not JSON: a string in double quotes does not end on its line.'
    case 'InvalidEscapeCharacter':
    case 'InvalidUnicode':
      return 'This is not JSON: "\\" is followed by something it cannot escape.'
    case 'InvalidCharacter':
      return 'This is not JSON: a string contains a control character; write it as an escape.'
    case 'InvalidNumberFormat':
    case 'UnexpectedEndOfNumber':
      return 'This is not JSON: the number is not complete.'
    default:
      return 'This is not JSON: this text is not part of JSON.'
  }
}
