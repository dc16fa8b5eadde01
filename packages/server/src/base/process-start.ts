import { readFileSync } from 'node:fs'

/** A process by its number and when it started, since numbers are used again. */
export interface ProcessRef {
  readonly pid: number
  /** As the kernel counts it, in ticks since boot; from `processStart`. */
  readonly startTime: string
}

/** Names one process for as long as the machine runs. */
export function processKey({ pid, startTime }: ProcessRef): string {
  return `${pid}@${startTime}`
}

/** Whether the process of a key is still there, and is the same one. */
export function isRunning(key: string): boolean {
  const [pid = '', startTime] = key.split('@')
  return processStart(Number(pid)) === startTime
}

/** When a process started; undefined when there is none, or no /proc to look at. */
export function processStart(pid: number): string | undefined {
  return readStat(pid)?.startTime
}

/** Parent and start of a process, as /proc tells them. */
export function readStat(pid: number): { parent: number; startTime: string } | undefined {
  let text: string
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return undefined
  }
  // The name in brackets may hold anything, brackets and spaces included.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const [, parent = '', startTime = ''] = [fields[0], fields[1], fields[19]]
  return startTime === '' ? undefined : { parent: Number(parent), startTime }
}

/** The name that a process has or gave itself, as much of it as the kernel keeps. */
export function processName(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trimEnd()
  } catch {
    return ''
  }
}
