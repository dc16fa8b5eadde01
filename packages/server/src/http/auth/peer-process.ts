import { readdirSync, readlinkSync } from 'node:fs'
import { readStat } from '../../base/process-start.ts'
import type { GuardedProcesses } from './guarded-processes.ts'
import { type Ends, peerInode } from './peer-socket.ts'

/**
 * Whether a guarded client, or something it started, holds the other end of a connection. Only
 * what the kernel shows is seen: a child that let itself be adopted, or a machine without /proc,
 * is not (see the levels in docs/spec/quality.md).
 */
export function comesFromGuarded(ends: Ends, guarded: GuardedProcesses): boolean {
  if (guarded.isEmpty) return false
  const inode = peerInode(ends)
  if (inode === undefined) return false
  return processes().some((pid) => descends(pid, guarded) && holds(pid, inode))
}

/**
 * The process at the other end of a connection, where the kernel shows it. `hint` is the number
 * that a process says it has: looked at first, since looking at all of them takes longer than the
 * whole judgement, and believed only when it holds the connection.
 */
export function peerProcess(ends: Ends, hint?: number): number | undefined {
  const inode = peerInode(ends)
  if (inode === undefined) return undefined
  if (hint !== undefined && holds(hint, inode)) return hint
  return processes().find((pid) => holds(pid, inode))
}

const maxAncestors = 64

function descends(start: number, guarded: GuardedProcesses): boolean {
  let pid = start
  for (let step = 0; step < maxAncestors && pid > 1; step++) {
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

function holds(pid: number, inode: string): boolean {
  try {
    const fds = readdirSync(`/proc/${pid}/fd`)
    return fds.some((fd) => linkOf(`/proc/${pid}/fd/${fd}`) === `socket:[${inode}]`)
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
