import { jsonWithin } from '../../base/json.ts'
import { limits } from '../../base/limits.ts'
import { type Finding, finding, type Path } from '../finding.ts'
import { protoFinding } from './read-json.ts'
import { nowhere, type Source, scalarFault, unreadable } from './source.ts'

interface Copying {
  readonly findings: Finding[]
  left: number
}

/**
 * Takes a value that a program handed over as if it had been read from a text. It is copied once,
 * so that getters, proxies and later changes cannot make a checked definition another one.
 */
export function readPlainValue(input: unknown): Source {
  const copying: Copying = { findings: [], left: limits.definitionValues }
  const value = copy(input, [], copying)
  if (copying.left < 0) return tooLarge()
  const deep = copying.findings.find((one) => one.code === 'too_deep')
  if (deep !== undefined) return unreadable(deep)
  const bounds = { bytes: limits.definitionBytes, depth: limits.definitionDepth }
  if (!jsonWithin(value, bounds)) return tooLarge()
  return { value, findings: copying.findings, locate: nowhere }
}

function tooLarge(): Source {
  const message = `A definition may have at most ${limits.definitionBytes} bytes.`
  return unreadable(finding('too_large', [], message))
}

function copy(value: unknown, path: Path, copying: Copying): unknown {
  if (--copying.left < 0) return undefined
  if (value === null || typeof value === 'boolean') return value
  if (typeof value === 'string' || typeof value === 'number') {
    const wrong = scalarFault(value)
    if (wrong !== undefined) copying.findings.push(finding('wrong_value', path, wrong))
    return value
  }
  if (typeof value !== 'object') {
    const kind = `A value of the kind "${typeof value}" is not allowed in a definition.`
    copying.findings.push(finding('wrong_type', path, kind))
    return undefined
  }
  if (path.length > limits.definitionDepth) {
    // A value that contains itself ends here as well.
    const message = `Values are nested more than ${limits.definitionDepth} deep.`
    copying.findings.push(finding('too_deep', [], message))
    copying.left = Math.min(copying.left, 0)
    return undefined
  }
  if (Array.isArray(value)) {
    // Not `map`: it would pass over the holes of a list, and a hole is no value.
    return Array.from(value, (item, index) => copy(item, [...path, index], copying))
  }
  return copyObject(value, path, copying)
}

function copyObject(value: object, path: Path, copying: Copying): unknown {
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
    const kind = 'Only plain objects, lists, texts, numbers, true, false and null are allowed here.'
    copying.findings.push(finding('wrong_type', path, kind))
    return undefined
  }
  const plain: Record<string, unknown> = {}
  for (const [name, member] of Object.entries(value)) {
    if (name === '__proto__') copying.findings.push(protoFinding([...path, name]))
    else if (member !== undefined) plain[name] = copy(member, [...path, name], copying)
  }
  return plain
}
