import { randomUUID } from 'node:crypto'

/** The only source of time and ids. Tests bring their own. */
export interface Clock {
  now(): number
  newId(prefix: string): string
}

export const systemClock: Clock = {
  now: () => Date.now(),
  newId: (prefix) => `${prefix}_${randomUUID()}`,
}
