import { readdirSync, readlinkSync } from 'node:fs'
import { processName, readStat } from '../../base/process-start.ts'
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

/** The number that a process says it has, and the signature of the request in which it says so. */
export interface ReportedProcess {
  readonly pid: number
  /** Only of a request whose signature was found to be right. */
  readonly mac?: string | undefined
}

/**
 * The process at the other end of a connection, where the kernel shows it. What a process says of
 * itself is looked at first, since looking at all of them takes longer than the whole judgement. It
 * is believed when it holds the connection, or when it is named after the signature.
 */
export function peerProcess(ends: Ends, reported?: ReportedProcess): number | undefined {
  if (reported !== undefined && isNamedAfter(reported)) return reported.pid
  const inode = peerInode(ends)
  if (inode === undefined) return undefined
  if (reported !== undefined && holds(reported.pid, inode)) return reported.pid
  return processes().find((pid) => holds(pid, inode))
}

/** As many characters as Linux keeps of the name of a process. */
const nameLength = 15

/**
 * A process gives its name to itself, and whoever wants to pass for another one would have to find
 * a request whose signature begins like the name that this one happens to have: 60 bits.
 */
function isNamedAfter({ pid, mac }: ReportedProcess): boolean {
  return mac !== undefined && processName(pid) === mac.slice(0, nameLength)
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
