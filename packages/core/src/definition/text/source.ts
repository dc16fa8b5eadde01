import type { Finding, Path } from '../finding.ts'
import type { Position } from './position.ts'

/** The name of a member, or what stands behind it. */
export type Part = 'key' | 'value'

/** What an author wrote, as plain values, and where each of them stands. */
export interface Source {
  /** Absent when the text could not be read at all. */
  readonly value: unknown
  readonly findings: readonly Finding[]
  /** The nearest place for a path: what is missing stands where its parent does. */
  readonly locate: (path: Path, part: Part) => Position | undefined
}

export const nowhere: Source['locate'] = () => undefined

export function unreadable(finding: Finding, position?: Position): Source {
  return { value: undefined, findings: [{ ...finding, ...position }], locate: nowhere }
}

/**
 * Why a scalar cannot be kept, or undefined. An infinite number would become null in storage, and
 * half a surrogate pair would make two different texts hash alike.
 */
export function scalarFault(value: unknown): string | undefined {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    return 'This number is not finite or too large to be stored.'
  }
  if (typeof value === 'string' && !value.isWellFormed()) {
    return 'This text contains half of a character (a lone surrogate).'
  }
  return undefined
}
