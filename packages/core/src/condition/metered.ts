import type { Node } from './cel.ts'
import { boundBy, macros, walk } from './walk.ts'

/**
 * The same expression, with what it costs counted where it goes over lists: macros repeat what
 * stands in them up to a million times, and the language does not stop at an error there (FC-12).
 * Before a body is read `step_` counts its parts, and `weigh_` how long the values are that one of
 * its parts goes through as a whole. Past the bound both fail before anything is read.
 */
export function metered(text: string, ast: Node): string {
  return needsMeter(ast) ? new Writer(text, false).write(ast, false) : text
}

/** The same with functions for operators that would take a sealed value for a plain one (FC-7). */
export function careful(text: string, ast: Node): string {
  return new Writer(text, true).write(ast, false)
}

function needsMeter(ast: Node): boolean {
  let needs = false
  walk(ast, (node) => {
    if (node.op === 'rcall' && (macros.has(node.args[0]) || casing.has(node.args[0]))) needs = true
    if (mayBeNoNumber(node) || ordered.has(node.op)) needs = true
    if (node.op === 'in' && isOpen(node.args[1])) needs = true
    if (node.op === '[]' && node.args[1].op !== 'value') needs = true
  })
  return needs
}

/** Those of the library change letters beyond the Latin ones, which makes others of look-alikes. */
const casing: ReadonlySet<string> = new Set(['lowerAscii', 'upperAscii'])

/** Operators whose cost grows with what they are given. */
const weighed: ReadonlySet<string> = new Set(['in', '==', '!=', '<', '<=', '>', '>=', '+'])

const ordered: ReadonlySet<string> = new Set(['<', '<=', '>', '>='])

/** What may give a number that is none, as `0.0 / 0.0` does: that is not known (FC-12). */
function mayBeNoNumber(node: Node): boolean {
  return node.op === 'call' ? node.args[0] === 'double' : arithmetic.has(node.op)
}

const arithmetic: ReadonlySet<string> = new Set(['+', '-', '*', '/'])

class Writer {
  readonly #text: string
  readonly #isCareful: boolean

  constructor(text: string, isCareful: boolean) {
    this.#text = text
    this.#isCareful = isCareful
  }

  write(node: Node, isRepeated: boolean): string {
    const written = this.#written(node, isRepeated)
    return mayBeNoNumber(node) ? `known_(${written})` : written
  }

  #written(node: Node, isRepeated: boolean): string {
    const inner = (one: Node) => this.write(one, isRepeated)
    const long = (one: Node) => (isRepeated && isOpen(one) ? `weigh_(${inner(one)})` : inner(one))
    switch (node.op) {
      case 'value':
      case 'id':
        return this.#text.slice(node.start, node.end)
      case '.':
        return `${inner(node.args[0])}.${node.args[1]}`
      case '[]': {
        const [on, key] = node.args
        if (this.#isCareful) return `at_(${inner(on)}, ${inner(key)})`
        return `${inner(on)}[${key.op === 'value' ? inner(key) : `key_(${inner(key)})`}]`
      }
      case 'list':
        return `[${node.args.map(inner).join(', ')}]`
      case 'map':
        return `{${node.args.map((entry) => entry.map(inner).join(': ')).join(', ')}}`
      case '!_':
        return `(!${inner(node.args)})`
      case '-_':
        return `(- ${inner(node.args)})`
      case '?:': {
        const [test, yes, no] = node.args
        return `(${inner(test)} ? ${inner(yes)} : ${inner(no)})`
      }
      case 'call': {
        const [name, given] = node.args
        if (this.#isCareful && name === 'has') return this.#has(given, inner)
        const written = given.map(name === 'has' ? inner : long).join(', ')
        return this.#isCareful && name === 'type'
          ? `type(open_(${written}))`
          : `${name}(${written})`
      }
      case 'rcall':
        return this.#method(node, isRepeated, long)
      case '.?':
      case '[?]':
        throw new Error('optional access is not supported here')
      default: {
        const [left, right] = node.args
        const side = weighed.has(node.op) ? long : inner
        return this.#binary(node, side(left), side(right))
      }
    }
  }

  #binary(node: Node, left: string, right: string): string {
    const { op } = node
    if (ordered.has(op)) return `(order_(${left}) ${op} order_(${right}))`
    if (op === 'in' && (this.#isCareful || isOpen(node.args[1]))) return `in_(${left}, ${right})`
    if (this.#isCareful && op === '==') return `eq_(${left}, ${right})`
    if (this.#isCareful && op === '!=') return `(!eq_(${left}, ${right}))`
    return `(${left} ${op} ${right})`
  }

  /** A map of which a name is hidden may have any. */
  #has(given: readonly Node[], inner: (node: Node) => string): string {
    const [asked] = given
    const written = `has(${given.map(inner).join(', ')})`
    return asked?.op === '.' ? `(shown_(${inner(asked.args[0])}) ? ${written} : false)` : written
  }

  #method(
    node: Extract<Node, { op: 'rcall' }>,
    isRepeated: boolean,
    long: (node: Node) => string,
  ): string {
    const [name, on, given] = node.args
    const [item, ...bodies] = given
    if (boundBy(node) === undefined || item === undefined) {
      const called = casing.has(name) ? `${name}_` : name
      return `${long(on)}.${called}(${given.map((one) => this.write(one, isRepeated)).join(', ')})`
    }
    const stepped = bodies.map((body) => {
      return `step_(${countOf(body)}) ? ${this.write(body, true)} : dyn(null)`
    })
    // The language takes whatever is neither list nor map for an empty one.
    const over = this.#isCareful ? `open_(${long(on)})` : long(on)
    return `${over}.${name}(${[this.write(item, false), ...stepped].join(', ')})`
  }
}

/** What is written out was counted with the parts of the expression. */
function isOpen({ op }: Node): boolean {
  return op !== 'value' && op !== 'list' && op !== 'map'
}

/** Parts that are read once each; the body of a macro inside counts by itself. */
function countOf(node: Node): number {
  let count = 0
  walk(node, () => {
    count += 1
  })
  return count
}
