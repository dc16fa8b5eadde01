import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { readStat } from '../../runtime/process-start.ts'
import type { GuardedProcesses } from './guarded-processes.ts'

/** Both ends of a connection on this machine, as the server sees them. */
export interface LocalConnection {
  readonly peerPort: number
  readonly ownPort: number
}

/**
 * Whether a guarded client, or something it started, holds the other end of a connection. Only
 * what the kernel shows is seen: a child that let itself be adopted, or a machine without /proc,
 * is not (see the levels in docs/spec/quality.md).
 */
export function comesFromGuarded(connection: LocalConnection, guarded: GuardedProcesses): boolean {
  if (guarded.isEmpty) return false
  const inodes = socketInodes(connection)
  if (inodes.size === 0) return false
  return processes().some((pid) => descends(pid, guarded) && holds(pid, inodes))
}

/**
 * The process at the other end of a connection, where the kernel shows it. `hint` is the number
 * that a process says it has: looked at first, since looking at all of them takes longer than the
 * whole judgement, and believed only when it holds the connection.
 */
export function peerProcess(connection: LocalConnection, hint?: number): number | undefined {
  const inodes = socketInodes(connection)
  if (inodes.size === 0) return undefined
  if (hint !== undefined && holds(hint, inodes)) return hint
  return processes().find((pid) => holds(pid, inodes))
}

const mostAncestors = 64

function descends(start: number, guarded: GuardedProcesses): boolean {
  let pid = start
  for (let step = 0; step < mostAncestors && pid > 1; step++) {
    const stat = readStat(pid)
    if (stat === undefined) return false
    if (guarded.has({ pid, startTime: stat.startTime })) return true
    pid = stat.parent
  }
  return false
}

function processes(): number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
  } catch {
    return []
  }
}

function holds(pid: number, inodes: ReadonlySet<string>): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => {
      const link = linkOf(`/proc/${pid}/fd/${fd}`)
      return link.startsWith('socket:[') && inodes.has(link.slice(8, -1))
    })
  } catch {
    return false
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}

/** The peer's end in the kernel's tables: its local address is what we see as the remote one. */
function socketInodes({ peerPort, ownPort }: LocalConnection): ReadonlySet<string> {
  const inodes = new Set<string>()
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    for (const line of tableLines(table)) {
      const [, local = '', remote = '', , , , , , , inode = ''] = line.trim().split(/\s+/)
      if (portOf(local) === peerPort && portOf(remote) === ownPort) inodes.add(inode)
    }
  }
  return inodes
}

function tableLines(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n').slice(1)
  } catch {
    return []
  }
}

function portOf(address: string): number {
  return Number.parseInt(address.slice(address.lastIndexOf(':') + 1), 16)
}
