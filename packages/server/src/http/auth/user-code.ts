import { randomInt } from 'node:crypto'

/** No vowels and nothing that looks like something else: codes are read aloud and typed. */
const letters = 'BCDFGHJKLMNPQRSTVWXZ'

/** Short enough to read from one screen and type into another. */
export function newUserCode(): string {
  const code = Array.from({ length: 8 }, () => letters[randomInt(letters.length)]).join('')
  return `${code.slice(0, 4)}-${code.slice(4)}`
}

/** As it was meant, however it was typed. */
export function plainCode(userCode: string): string {
  return userCode.toUpperCase().replaceAll(/[^A-Z]/g, '')
}
