import type { Node } from './cel.ts'
import { boundBy, macros, walk } from './walk.ts'

/**
 * The same expression, with what it costs counted where it goes over lists: macros repeat what
 * stands in them up to a million times, and the language does not stop at an error there (FC-12).
 * Before a body is read `step_` counts its parts, and `weigh_` how long the values are that one of
 * its parts goes through as a whole. Past the bound both fail before anything is read.
 */
export function metered(text: string, ast: Node): string {
  return needsMeter(ast) ? new Writer(text).write(ast, false) : text
}

function needsMeter(ast: Node): boolean {
  let needs = false
  walk(ast, (node) => {
    if (node.op === 'rcall' && (macros.has(node.args[0]) || casing.has(node.args[0]))) needs = true
    if (mayBeNoNumber(node)) needs = true
  })
  return needs
}

/** Those of the library change letters beyond the Latin ones, which makes others of look-alikes. */
const casing: ReadonlySet<string> = new Set(['lowerAscii', 'upperAscii'])

/** Operators whose cost grows with what they are given. */
const weighed: ReadonlySet<string> = new Set(['in', '==', '!=', '<', '<=', '>', '>=', '+'])

/** What may give a number that is none, as `0.0 / 0.0` does: that is not known (FC-12). */
function mayBeNoNumber(node: Node): boolean {
  return node.op === 'call' ? node.args[0] === 'double' : arithmetic.has(node.op)
}

const arithmetic: ReadonlySet<string> = new Set(['+', '-', '*', '/'])

class Writer {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
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
      case '[]':
        return `${inner(node.args[0])}[${inner(node.args[1])}]`
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
        return `${name}(${given.map(name === 'has' ? inner : long).join(', ')})`
      }
      case 'rcall':
        return this.#method(node, isRepeated, long)
      case '.?':
      case '[?]':
        throw new Error('optional access is not known here')
      default: {
        const [left, right] = node.args
        const side = weighed.has(node.op) ? long : inner
        return `(${side(left)} ${node.op} ${side(right)})`
      }
    }
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
      return `step_(${partsOf(body)}) ? ${this.write(body, true)} : dyn(null)`
    })
    return `${long(on)}.${name}(${[this.write(item, false), ...stepped].join(', ')})`
  }
}

/** What is written out was counted with the parts of the expression. */
function isOpen({ op }: Node): boolean {
  return op !== 'value' && op !== 'list' && op !== 'map'
}

/** Parts that are read once each; the body of a macro inside counts by itself. */
function partsOf(node: Node): number {
  let parts = 0
  walk(node, () => {
    parts += 1
  })
  return parts
}
