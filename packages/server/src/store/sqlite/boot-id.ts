import { readFileSync } from 'node:fs'

let known: string | undefined

/** Another one each time the machine starts; `-` where the system tells none. */
export function bootId(): string {
  known ??= readBootId()
  return known
}

function readBootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim() || '-'
  } catch {
    return '-'
  }
}
