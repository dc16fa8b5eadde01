import { z } from 'zod'
import type { JsonObject } from '../base/json.ts'
import { limits } from '../base/limits.ts'

/** Ids and names are whatever a client chose, within bounds. */
export const Id = z.string().min(1).max(limits.nameLength)
export const Note = z.string().max(limits.messageLength)
export const SessionId = z.string().min(1).max(500)
export const Path = z.string().max(4096)
export const Project = Path.min(1).describe('The project, as runs name it.')

/** Data of an agent: plain JSON, bounded where it is read. */
export const Data = z.record(z.string(), z.unknown()).transform((data) => data as JsonObject)

/** Milliseconds since 1970, as every `*_at` is told. */
export const Time = z.number()

/** A whole number in a query. */
export function countIn(max: number, usual: number) {
  return z.coerce.number<number | string>().int().min(0).max(max).default(usual)
}

/** Several in one word of a query, with commas between them. */
export function listOf<Item extends z.ZodType<unknown, string>>(item: Item, max: number) {
  return z
    .union([z.string(), z.array(z.string()).readonly()])
    .transform((reported) => (typeof reported === 'string' ? reported.split(',') : [...reported]))
    .pipe(z.array(item).max(max))
}
