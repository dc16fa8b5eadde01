import { readFileSync, statSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { basename } from 'node:path'
import { type ProcessRef, processName, readStat } from '../../base/process-start.ts'
import { peerProcess, type ReportedProcess } from './peer-process.ts'

const maxAncestors = 32

/**
 * The process at the other end of a connection and those that it descends from, nearest first.
 * `mac` is the signature of the request, where it has one that is right.
 */
export function peerAncestors(
  { socket, headers }: IncomingMessage,
  mac?: string,
): readonly ProcessRef[] {
  const found: ProcessRef[] = []
  let pid = peerProcess(socket, reportedProcess(headers[processHeader], mac))
  while (pid !== undefined && pid > 1 && found.length < maxAncestors) {
    const stat = readStat(pid)
    if (stat === undefined) break
    found.push({ pid, startTime: stat.startTime })
    pid = stat.parent
  }
  return found
}

/** Set by the hook command, which knows its own number and is started for each call. */
const processHeader = 'statewright-process'

function reportedProcess(
  header: string | readonly string[] | undefined,
  mac: string | undefined,
): ReportedProcess | undefined {
  const isNumber = typeof header === 'string' && /^[1-9]\d{0,9}$/.test(header)
  return isNumber ? { pid: Number(header), mac } : undefined
}

/** What a process runs: its own name, or that of the script where an interpreter runs one. */
export function programName(pid: number): string {
  const name = processName(pid)
  if (!/^(node|bun|deno)\b/.test(name)) return name
  const script = read(`/proc/${pid}/cmdline`)
    .split('\0')
    .slice(1)
    .find((word) => !word.startsWith('-'))
  return script === undefined ? name : basename(script).replace(/\.[cm]?js$/, '')
}

/** Whether a process runs as another user than we do: only then is there a real boundary. */
export function belongsToOther(pid: number): boolean {
  try {
    return statSync(`/proc/${pid}`).uid !== process.getuid?.()
  } catch {
    return false
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
