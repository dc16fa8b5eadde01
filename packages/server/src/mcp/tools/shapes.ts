import { Finding, MoveStatus, Run } from '@statewright/core/wire'
import { z } from 'zod'

/** Where a run stands, as every door shows it; a newer one may show more. */
export const RunState = z.looseObject(Run.shape)

export const FindingShape = z.looseObject(Finding.shape)

/** Where a run stands after something was sent to it, which may wait for a person. */
export const StatusAfter = MoveStatus.describe('`pending_approval`, or the status of the run.')
