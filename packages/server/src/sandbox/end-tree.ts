import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'

/** The variable by which everything that a call started is known again, wherever it went. */
export const markName = 'STATEWRIGHT_CALL'

/**
 * A new mark. One with an owner is known as the owner's also by anyone who comes after it: a server
 * that is killed cannot end what it runs, and the next one finds it by this.
 */
export function newMark(owner?: string): string {
  const mark = randomBytes(12).toString('hex')
  return owner === undefined ? mark : `${owner}.${mark}`
}

const maxRounds = 20

/**
 * Ends a child with all that it started. In a cage its process namespace ends with it. Without one,
 * what left the group (setsid, a double fork) is found by the mark in its environment; a program
 * that wipes its environment and leaves the group gets away, which is what level L0 means.
 */
export function endTree(pid: number, mark: string): void {
  send(-pid)
  send(pid)
  endMarked(mark)
}

/** Ends everything that carries a mark, as far as we may. */
export function endMarked(mark: string): void {
  endAll((line) => line === `${markName}=${mark}`)
}

/** Whether anything that carries a mark is alive on this machine; yes where nobody can look. */
export function isAnyAlive(mark: string): boolean {
  if (process.platform !== 'linux') return true
  return marked((line) => line === `${markName}=${mark}`).length > 0
}

/** Ends what an owner has left behind, and says how many there were. */
export function endOwned(owner: string): number {
  return endAll((line) => line.startsWith(`${markName}=${owner}.`))
}

function endAll(isMark: (line: string) => boolean): number {
  const ended = new Set<number>()
  // What is being started while we look is found in the next round.
  for (let round = 0; round < maxRounds; round++) {
    const left = marked(isMark)
    if (left.length === 0) break
    for (const one of left) {
      ended.add(one)
      send(one)
    }
  }
  return ended.size
}

function send(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}

/** Live processes that carry the mark; one that has ended shows no environment any more. */
function marked(isMark: (line: string) => boolean): number[] {
  if (process.platform !== 'linux') return []
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((name) => environmentOf(name).split('\0').some(isMark))
    .map(Number)
}

function environmentOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1')
  } catch {
    return ''
  }
}
