import { nearestNames } from '../base/nearest.ts'
import { globFault } from '../call/glob.ts'
import type { ExpressionFault, Node } from './cel.ts'
import { conditionFunctions } from './functions.ts'
import { languageFunctions, macroFunctions } from './language-functions.ts'
import { type Scope, type Variable, variables } from './variables.ts'
import { boundBy, walk } from './walk.ts'

const typeNames: ReadonlySet<string> = new Set([
  ...['int', 'double', 'string', 'bool', 'list', 'map', 'null_type', 'bytes', 'uint', 'type'],
])

const maxNested = 2

/** What an expression uses that it may not use in its place (FC-6, FC-8, FC-12). */
export function profileFaults(ast: Node, scope: Scope): readonly ExpressionFault[] {
  const faults: ExpressionFault[] = []
  const add = (node: Node, message: string) => {
    faults.push({ message, start: node.start, end: node.end })
  }
  walk(ast, (node, bound) => {
    if (node.op === 'id') {
      const fault = bound.includes(node.args) ? undefined : variableFault(node.args, scope)
      if (fault !== undefined) add(node, fault)
      return
    }
    if (node.op === '.?' || node.op === '[?]') add(node, 'optional access is not supported here')
    if (node.op === 'value' && typeof node.args === 'object' && node.args !== null) {
      add(node, 'bytes and numbers such as 1u are not supported here')
    }
    const pattern = brokenPattern(node)
    if (pattern !== undefined) add(node, pattern)
    if (node.op !== 'call' && node.op !== 'rcall') return
    const [name] = node.args
    const given = node.op === 'call' ? node.args[1] : node.args[2]
    if (boundBy(node) !== undefined) {
      if (bound.length >= maxNested)
        add(node, `more than ${maxNested} macros nested inside each other`)
      return
    }
    const fault = functionFault(name)
    if (fault !== undefined) add(node, fault)
    else if (/^get[A-Z]/.test(name) && given.length > 0)
      add(node, 'time zones are not supported here')
  })
  return faults
}

/** A pattern that is written out and cannot be read has no matches, which nobody means. */
function brokenPattern(node: Node): string | undefined {
  if (node.op !== 'call' || node.args[0] !== 'glob') return undefined
  const [, pattern] = node.args[1]
  if (pattern?.op !== 'value' || typeof pattern.args !== 'string') return undefined
  const fault = globFault(pattern.args)
  return fault === undefined ? undefined : `the pattern cannot be used: ${fault}`
}

function variableFault(name: string, scope: Scope): string | undefined {
  const known: Variable | undefined = Object.hasOwn(variables, name)
    ? variables[name as keyof typeof variables] // an own key
    : undefined
  if (known === undefined) {
    return typeNames.has(name) ? undefined : `there is no ${name}${nearest(name, allowed(scope))}`
  }
  if (known.scopes.includes(scope)) return undefined
  return `${name} cannot be read ${where[scope]}`
}

const where: Readonly<Record<Scope, string>> = {
  call: 'before the call has run',
  attached: 'by a policy of a project or role, which sees the call alone',
  guard: 'in a guard, where no call is made',
  result: 'where a result is read',
}

function allowed(scope: Scope): readonly string[] {
  return Object.entries(variables)
    .filter(([, { scopes }]: [string, Variable]) => scopes.includes(scope))
    .map(([name]) => name)
}

function functionFault(name: string): string | undefined {
  if (Object.hasOwn(languageFunctions, name) || Object.hasOwn(conditionFunctions, name)) {
    return undefined
  }
  if (name === 'matches')
    return 'there is no function matches; use glob, startsWith, endsWith or contains'
  const all = [languageFunctions, macroFunctions, conditionFunctions].flatMap(Object.keys)
  return `there is no function ${name}${nearest(name, all)}`
}

function nearest(name: string, names: readonly string[]): string {
  const [near] = nearestNames(name, names, 1)
  return near === undefined ? '' : `; did you mean ${near}?`
}
