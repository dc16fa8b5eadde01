import { z } from 'zod'
import { limits } from '../base/limits.ts'

/** Names that would reach an object's prototype when used as a key. */
export const prototypeNames: ReadonlySet<string> = new Set([
  '__proto__',
  'constructor',
  'prototype',
])

/**
 * Why a name for a state, event, guard or branch cannot be used, or undefined when it can.
 * Engines reorder keys made only of digits, which would change the order that behaviour follows.
 */
export function nameFault(name: string): string | undefined {
  if (name === '') return 'a name may not be empty'
  if (name.length > limits.nameLength) {
    return `a name may have at most ${limits.nameLength} characters`
  }
  if (prototypeNames.has(name)) return `"${name}" cannot be used as a name`
  if (/^\d+$/.test(name)) return `"${name}" is made only of digits; put a letter in front`
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u.test(name)) {
    return 'a name may not contain control or invisible characters'
  }
  return undefined
}

export const Name = z.string().min(1).max(limits.nameLength)
export const Text = z.string().max(limits.textLength)
export const JsonRecord = z.record(z.string(), z.json())
