import { storable } from '../storable-text.ts'

/**
 * Arrays in the binary form of Postgres. As text each quote of a JSON text would be escaped here,
 * and looked for there, letter by letter.
 */
export function textArray(values: readonly (string | null)[]): Buffer {
  const texts = values.map((value) => (value === null ? null : storable(value)))
  const lengths = texts.map((text) => (text === null ? -1 : Buffer.byteLength(text)))
  const bytes = lengths.reduce((sum, length) => sum + Math.max(0, length), 0)
  const { buffer, start } = emptyArray(textType, values.length, values.length * 4 + bytes)
  let at = start
  for (const [index, text] of texts.entries()) {
    at = buffer.writeInt32BE(lengths[index] ?? -1, at)
    if (text !== null) at += buffer.write(text, at)
  }
  return buffer
}

/** Throws where a number is not a whole one, as Postgres would. */
export function bigintArray(values: readonly (number | null)[]): Buffer {
  const nulls = values.filter((value) => value === null).length
  const bytes = values.length * 12 - nulls * 8
  const { buffer, start } = emptyArray(bigintType, values.length, bytes)
  let at = start
  for (const value of values) {
    at = buffer.writeInt32BE(value === null ? -1 : 8, at)
    if (value !== null) at = writeBigint(buffer, value, at)
  }
  return buffer
}

/** Our whole numbers stay below 2^53: two halves cost less than a number of JavaScript's own. */
function writeBigint(buffer: Buffer, value: number, at: number): number {
  if (!Number.isSafeInteger(value)) throw new RangeError(`${value} is not a whole number`)
  buffer.writeInt32BE(Math.floor(value / half), at)
  return buffer.writeUInt32BE(value - Math.floor(value / half) * half, at + 4)
}

const half = 2 ** 32
const bigintType = 20
const textType = 25

/** With its head: dimensions, whether it holds nulls, type, length and number of the first. */
function emptyArray(
  type: number,
  length: number,
  bytes: number,
): { readonly buffer: Buffer; readonly start: number } {
  const buffer = Buffer.allocUnsafe(20 + bytes)
  let start = 0
  for (const field of [1, 1, type, length, 1]) start = buffer.writeInt32BE(field, start)
  return { buffer, start }
}
