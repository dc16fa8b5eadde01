import { cut, type Json, limits, toolEntryFault } from '@statewright/core/internal'
import type { StepNote } from './find-steps.ts'
import { skillLimits } from './limits.ts'

interface ReadTools {
  readonly entries?: readonly string[]
  readonly notes: readonly StepNote[]
}

/** `allowed-tools` is a list, or names with commas or blanks between them. */
export function readTools(value: Json | undefined): ReadTools {
  if (value === undefined || value === null) {
    return { notes: [note('The skill declares no tools. Every step may use any tool.')] }
  }
  const items: readonly unknown[] = Array.isArray(value) ? value : [value]
  const names = items.flatMap((item) =>
    typeof item === 'string' ? namesIn(item) : [JSON.stringify(item)],
  )
  const faults = names.map((name) => [name, faultOf(name)] as const)
  const entries = faults.flatMap(([name, fault]) => (fault === undefined ? [name] : []))
  const notes = faults.flatMap(([name, fault]) => {
    return fault === undefined ? [] : [note(`The tool "${cut(name, 80)}" was left out: ${fault}.`)]
  })
  return { entries: [...new Set(entries)].slice(0, skillLimits.tools), notes }
}

/**
 * Commas and blanks in brackets belong to a command. A bracket that never closes takes all the rest
 * with it, which is no tool: `Bash(git log` must not become `Bash`.
 */
function namesIn(text: string): string[] {
  const names = ['']
  let depth = 0
  for (const character of text) {
    if (character === '(') depth += 1
    if (character === ')') depth -= 1
    const isBetween = depth === 0 && /[\s,]/.test(character)
    if (isBetween) names.push('')
    else names.push(`${names.pop()}${character}`)
  }
  return names.filter((name) => name !== '')
}

function faultOf(name: string): string | undefined {
  if (name.length > limits.nameLength) return 'its name is too long'
  return /^[\w.*:/-]+(?:\(.*\))?$/.test(name) ? toolEntryFault(name) : 'it names no tool'
}

function note(message: string): StepNote {
  return { line: 1, message }
}
