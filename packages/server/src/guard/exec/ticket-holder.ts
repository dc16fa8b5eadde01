import { hash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { type ProcessRef, processKey } from '../../base/process-start.ts'

/** The process that came with a ticket. */
export interface TicketHolder {
  /** It and those that it descends from, nearest first; empty where the kernel shows none. */
  readonly ancestors: readonly ProcessRef[]
  isAlive(): boolean
  end(): void
}

/**
 * Whether a ticket is in the hands of another program than the client's. It stands on the command
 * line of the client's shell, where any program of the user can read it: anyone who has it descends
 * from all that carry it, and from the client itself.
 */
export function isStolen(
  { ancestors }: TicketHolder,
  ticket: { readonly key: string; readonly client?: string | undefined },
): boolean {
  if (ancestors.length === 0) return false
  const { key, client } = ticket
  if (client !== undefined && !ancestors.map(processKey).includes(client)) return true
  const own = new Set(ancestors.map(({ pid }) => String(pid)))
  return processes().some((pid) => !own.has(pid) && carries(pid, key))
}

function processes(): string[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  } catch {
    return []
  }
}

/** As long as a ticket is, and nothing beside it that could belong to it. */
const ticketShape = /(?<![\w-])[\w-]{43}(?![\w-])/g

function carries(pid: string, key: string): boolean {
  try {
    const words = readFileSync(`/proc/${pid}/cmdline`, 'latin1').match(ticketShape) ?? []
    return words.some((word) => hash('sha256', word) === key)
  } catch {
    return false
  }
}
