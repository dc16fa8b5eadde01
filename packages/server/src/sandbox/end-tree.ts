import { readdirSync, readFileSync } from 'node:fs'

/** The variable by which everything that a call started is known again, wherever it went. */
export const markName = 'STATEWRIGHT_CALL'

const mostRounds = 20

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
  // What is being started while we look is found in the next round.
  for (let round = 0; round < mostRounds; round++) {
    const left = marked(mark)
    if (left.length === 0) return
    for (const one of left) send(one)
  }
}

function send(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}

/** Live processes that carry the mark; one that has ended shows no environment any more. */
function marked(mark: string): number[] {
  if (process.platform !== 'linux') return []
  const wanted = `${markName}=${mark}`
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((name) => environmentOf(name).split('\0').includes(wanted))
    .map(Number)
}

function environmentOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1')
  } catch {
    return ''
  }
}
