import { Run } from '@statewright/core/wire'
import { z } from 'zod'

/** Where a run stands, as every door shows it; a newer one may show more. */
export const RunState = z.looseObject(Run.shape)

export const FindingShape = z.looseObject({
  code: z.string(),
  severity: z.string(),
  path: z.array(z.union([z.string(), z.number()])),
  message: z.string(),
})
