import { readdirSync, readFileSync } from 'node:fs'

/** Of a process and of its children, those that have ended included; undefined outside Linux. */
export function processorMs(pid: number): number | undefined {
  const own = timesOf(pid)
  if (own === undefined) return undefined
  let sum = own.own + own.ended
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const child = timesOf(Number(name))
    if (child?.parent === pid) sum += child.own + child.ended
  }
  return sum
}

export function parentOf(pid: number): number | undefined {
  return timesOf(pid)?.parent
}

/** Linux counts in hundredths of a second, whatever its clock does. */
const tickMs = 10

interface Times {
  readonly parent: number
  readonly own: number
  readonly ended: number
}

function timesOf(pid: number): Times | undefined {
  let text: string
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return undefined
  }
  // The name of the program stands in parentheses and may hold anything.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const at = (index: number) => Number(fields[index])
  return { parent: at(1), own: (at(11) + at(12)) * tickMs, ended: (at(13) + at(14)) * tickMs }
}
