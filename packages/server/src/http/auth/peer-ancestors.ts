import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { basename } from 'node:path'
import { type ProcessRef, readStat } from './guarded-processes.ts'
import { peerProcess } from './peer-process.ts'

const mostAncestors = 32

/** The process at the other end of a connection and those that it descends from, nearest first. */
export function peerAncestors({ socket }: IncomingMessage): readonly ProcessRef[] {
  const { remotePort: peerPort, localPort: ownPort } = socket
  if (peerPort === undefined || ownPort === undefined) return []
  const found: ProcessRef[] = []
  let pid = peerProcess({ peerPort, ownPort })
  while (pid !== undefined && pid > 1 && found.length < mostAncestors) {
    const stat = readStat(pid)
    if (stat === undefined) break
    found.push({ pid, startTime: stat.startTime })
    pid = stat.parent
  }
  return found
}

/** Names one process for as long as the machine runs: numbers alone are used again. */
export function processKey({ pid, startTime }: ProcessRef): string {
  return `${pid}@${startTime}`
}

/** What a process runs: its own name, or that of the script where an interpreter runs one. */
export function programName(pid: number): string {
  const name = read(`/proc/${pid}/comm`).trim()
  if (!/^(node|bun|deno)\b/.test(name)) return name
  const script = read(`/proc/${pid}/cmdline`)
    .split('\0')
    .slice(1)
    .find((word) => !word.startsWith('-'))
  return script === undefined ? name : basename(script).replace(/\.[cm]?js$/, '')
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
