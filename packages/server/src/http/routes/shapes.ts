import { type JsonObject, limits } from '@statewright/core'
import { z } from 'zod'

/** Shapes that several routes share. Ids and names are whatever a client chose, within bounds. */
export const Id = z.string().min(1).max(limits.nameLength)

/** Data of an agent: plain JSON, already bounded by the door. */
export const Data = z.record(z.string(), z.unknown()).transform((data) => data as JsonObject)

/** A whole number in a query. */
export function countIn(most: number, usual: number) {
  return z.coerce.number().int().min(0).max(most).default(usual)
}
