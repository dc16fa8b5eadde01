import { Composer, type CST, type Document, Lexer, type Node, Parser } from 'yaml'
import { limits } from '../../base/limits.ts'
import { type Finding, finding } from '../finding.ts'
import { positionFinder } from './position.ts'
import { type Source, unreadable } from './source.ts'
import { yamlPositions } from './yaml-positions.ts'
import { yamlValue } from './yaml-value.ts'

/** Reads YAML 1.2 with the core schema: `on`, `yes` and `no` are text. */
export function readYaml(text: string): Source {
  const positionAt = positionFinder(text)
  const parsed = parse(text)
  if ('code' in parsed) {
    const { offset, ...fault } = parsed
    return unreadable(fault, positionAt(offset))
  }
  const { value, findings, aliases } = yamlValue(parsed.contents)
  const locate = yamlPositions(parsed.contents, aliases)
  return {
    value,
    findings: findings.map(({ offset, ...rest }) => ({ ...rest, ...positionAt(offset) })),
    locate: (path, part) => {
      const offset = locate(path, part)
      return offset === undefined ? undefined : positionAt(offset)
    },
  }
}

type Fault = Finding & { readonly offset: number }

function parse(text: string): { readonly contents: Node | null } | Fault {
  const tokens = parseTokens(text)
  if ('code' in tokens) return tokens
  const composer = new Composer({
    version: '1.2',
    schema: 'core',
    merge: false,
    strict: true,
    prettyErrors: false,
    // The library compares each key with all before it; yamlValue does the same in linear time.
    uniqueKeys: false,
  })
  const documents = [...composer.compose(tokens, true, text.length)]
  const [document] = documents
  const error = documents.flatMap((one) => one.errors)[0]
  if (error !== undefined) {
    return { ...finding('syntax', [], `This is not YAML: ${error.message}.`), offset: error.pos[0] }
  }
  if (document === undefined) {
    return { ...finding('syntax', [], 'The text is empty.'), offset: 0 }
  }
  const second = documents[1]
  if (second !== undefined) {
    const one = 'A file holds one definition; a second document begins here.'
    return { ...finding('unsupported_yaml', [], one), offset: second.range[0] }
  }
  return versionFault(document) ?? { contents: document.contents }
}

/** A text that declares YAML 1.1 would mean true by `on`, and the transitions would vanish. */
function versionFault(document: Document): Fault | undefined {
  const { explicit, version } = document.directives?.yaml ?? {}
  if (explicit !== true || version === '1.2') return undefined
  const only = `Definitions are YAML 1.2; remove the line "%YAML ${version}".`
  return { ...finding('unsupported_yaml', [], only), offset: 0 }
}

/**
 * Parses in steps that can be stopped: the composer calls itself for each level and would overflow
 * its stack, and texts made only of marks take seconds.
 */
function parseTokens(text: string): CST.Token[] | Fault {
  const parser = new Parser()
  const tokens: CST.Token[] = []
  let count = 0
  for (const lexeme of new Lexer().lex(text)) {
    if (++count > limits.yamlTokens) {
      const message = `The YAML has more than ${limits.yamlTokens} parts. Split it, or write JSON.`
      return { ...finding('too_large', [], message), offset: parser.offset }
    }
    for (const token of parser.next(lexeme)) {
      if (token.type === 'error') {
        const message = `This is not YAML: ${token.message}.`
        return { ...finding('syntax', [], message), offset: token.offset }
      }
      tokens.push(token)
    }
    // The document and the scalar being read stand on the stack besides the collections.
    if (parser.stack.length > limits.definitionDepth + 2) {
      const message = `Values are nested more than ${limits.definitionDepth} deep.`
      return { ...finding('too_deep', [], message), offset: parser.offset }
    }
  }
  tokens.push(...parser.end())
  return tokens
}
