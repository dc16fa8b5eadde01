import { z } from 'zod'

export const AfterEnd = z
  .enum(['policy', 'closed'])
  .describe(
    'What applies between the end of a run and the next run of its session or token: its policy ' +
      'and session budget ("policy"), or no tool at all ("closed").',
  )
