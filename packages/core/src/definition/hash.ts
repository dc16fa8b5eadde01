import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { own } from '../base/own.ts'

/**
 * The content hash of a parsed definition, without what it invokes. Two texts that mean the same
 * hash alike; where order is meaning, it counts (WF-4).
 */
export function definitionHash(definition: object): string {
  // Definitions are stored with the hash of exactly this text.
  return hashText(`${canonicalText(definition)}\n{}`)
}

/** One text for all ways to write the same definition. */
export function canonicalText(definition: object): string {
  const left = leftOut(definition)
  const kept = Object.entries(definition).filter(([name]) => !left.has(name))
  return write(Object.fromEntries(kept), definitionShape)
}

export function hashText(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)))
}

const notContent = ['$schema']
const assignedToProcesses = ['id', 'createdAt', 'updatedAt']

/** What the system assigns to a process says nothing about what it does; a workflow's id does. */
function leftOut(definition: object): ReadonlySet<string> {
  const isProcess = Object.hasOwn(definition, 'name')
  return new Set(isProcess ? [...notContent, ...assignedToProcesses] : notContent)
}

/** Where the order of members is meaning. Everywhere else they are sorted. */
interface Shape {
  readonly isOrdered?: true
  readonly fields?: Readonly<Record<string, Shape>>
  readonly each?: Shape
}

const ordered: Shape = { isOrdered: true }
const forkShape: Shape = { fields: { fork: { fields: { branches: ordered } } } }
const definitionShape: Shape = {
  fields: {
    interrupts: ordered,
    states: { each: { fields: { on: { each: forkShape }, answers: ordered } } },
  },
}

function write(value: unknown, shape: Shape | undefined): string {
  if (Array.isArray(value)) return `[${value.map((item) => write(item, undefined)).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  if (shape?.isOrdered !== true) members.sort(([left], [right]) => (left < right ? -1 : 1))
  const written = members.map(([name, member]) => {
    const inner = shape?.each ?? own(shape?.fields, name)
    return `${JSON.stringify(name)}:${write(member, inner)}`
  })
  return `{${written.join()}}`
}
