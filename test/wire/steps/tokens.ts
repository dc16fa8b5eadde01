import { endpoints } from '@statewright/core/wire'
import { expect } from 'vitest'
import type { Walk } from '../walk.ts'

export async function tokenSteps(walk: Walk): Promise<void> {
  await walk.call(endpoints.getMe)
  await walk.as('person').call(endpoints.getMe)
  const service = { kind: 'service', verbs: ['define'], expires_in_s: 60, name: 'ci' } as const
  const { id } = await walk.call(endpoints.createToken, { body: service })
  await walk.call(endpoints.createToken, { body: { kind: 'person', name: 'mine' } })
  const { tokens } = await walk.call(endpoints.listTokens)
  expect(tokens.find((one) => one.id === id)?.verbs).toEqual(['define'])
  await walk.call(endpoints.revokeToken, { params: { id } })
}
