import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'

/**
 * The bytes of a plain file; undefined for anything else, and for one that is too large. A pipe
 * with the name of a file would hold whoever opens it until somebody writes, and with it the whole
 * server: so it is opened without waiting, and looked at before it is read.
 */
export function readRegular(path: string, maxBytes: number): Buffer | undefined {
  let file: number | undefined
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    const stat = fstatSync(file)
    return stat.isFile() && stat.size <= maxBytes ? readFileSync(file) : undefined
  } catch {
    return undefined
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

/** The same as text; empty where there is none. */
export function readRegularText(path: string, maxBytes: number): string {
  return readRegular(path, maxBytes)?.toString('utf8') ?? ''
}
