import { isNode, type Parsed, textOf, walk } from '../../test/tidy/syntax.ts'
import { findMessages, type Message } from './find-messages.ts'

/** Where the sentences that histories store have their words. */
const tables = /^packages\/core\/src\/base\/text\/\w+(-\w+)*-texts\.ts$/

/**
 * All messages of some files. A sentence of a table is listed once, where its words are, with the
 * codes of every function that uses it.
 */
export function allMessages(
  files: readonly Parsed[],
  isCode: (word: string) => boolean,
): readonly Message[] {
  const codes = phraseCodes(files, isCode)
  return files.flatMap((file) => {
    const found = findMessages(file, isCode)
    if (!tables.test(file.path)) return found
    const names = namesByLine(file)
    return found.map((message): Message => {
      const used = [...(codes.get(names.get(message.line) ?? '') ?? [])]
      return { ...message, kind: used.length === 0 ? 'text' : 'problem', codes: used }
    })
  })
}

/** Which code a phrase comes with: that of the call or object around, else of its function. */
function phraseCodes(files: readonly Parsed[], isCode: (word: string) => boolean) {
  const codes = new Map<string, Set<string>>()
  for (const file of files) {
    walk(file.program, (node, above) => {
      if (node.type !== 'CallExpression' || !isNode(node.callee)) return
      if (node.callee.name !== 'phrase' || !Array.isArray(node.arguments)) return
      const outer = above.findLast(({ type }) => /Function/.test(type)) ?? file.program
      const [first] = node.arguments
      const name = textOf(first) ?? ''
      const known = codes.get(name) ?? new Set()
      codes.set(name, known)
      walk(outer, (inner, over) => {
        const isCompared = over.at(-1)?.type === 'BinaryExpression'
        const word = inner.type === 'Literal' && !isCompared ? String(inner.value) : ''
        if (inner !== first && isCode(word)) known.add(word)
      })
    })
  }
  return codes
}

function namesByLine({ program, text }: Parsed): ReadonlyMap<number, string> {
  const names = new Map<number, string>()
  walk(program, (node) => {
    if (node.type !== 'Property' || !isNode(node.key) || !isNode(node.value)) return
    const line = text.slice(0, node.value.start).split('\n').length
    names.set(line, String(node.key.name ?? node.key.value))
  })
  return names
}
