import { ok } from '@statewright/core/internal'
import { z } from 'zod'
import { agentPassages } from '../../docs/agent-guide.ts'
import { type Passage, schemaPassages, searchPassages } from '../../docs/doc-index.ts'
import { guidePassages } from '../../docs/passages.ts'
import { ownTool } from './tool.ts'

let passages: readonly Passage[] | undefined

export const searchDocs = ownTool({
  name: 'statewright_search_docs',
  description: 'Search the reference of workflows and processes and the guide, offline.',
  input: z.object({ query: z.string().min(1).max(500) }),
  output: z.looseObject({
    results: z.array(z.looseObject({ title: z.string(), text: z.string(), score: z.number() })),
  }),
  isReading: true,
  async call(_from, { query }) {
    passages ??= [...agentPassages, ...guidePassages(), ...schemaPassages()]
    return ok({ results: searchPassages(passages, query) })
  },
})
