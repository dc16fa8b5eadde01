import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { patience } from '../../packages/server/testing/testbed.ts'
import { guardedGateway } from './guarded-gateway.ts'
import { type Ran, runScenarios } from './run-scenarios.ts'
import { serveTestHttp } from './test-server-http.ts'

const revisions = ['2025-11-25', '2026-07-28'] as const
const stdioServer = fileURLToPath(new URL('./test-server-stdio.ts', import.meta.url))

/** What each revision asked of the test server itself, so that the gateway is held to the same. */
const direct = new Map<string, Ran>()

describe('the test server itself', () => {
  test.each(revisions)('passes all that %s requires', patience, async (revision) => {
    const server = await serveTestHttp({ eras: 'both' })
    try {
      const ran = await runScenarios(server.url, revision)
      direct.set(revision, ran)
      expect(ran.exit, ran.output).toBe(0)
    } finally {
      await server.close()
    }
  })
})

describe('the gateway in front of it', () => {
  test.each(revisions)('over stdio passes all that %s requires', patience, async (revision) => {
    const command = { command: process.execPath, args: [stdioServer] }
    await passesLikeItself(command, revision)
  })

  test.each(revisions)('over HTTP passes all that %s requires', patience, async (revision) => {
    const server = await serveTestHttp({ eras: 'both' })
    try {
      await passesLikeItself({ type: 'http', url: server.url }, revision)
    } finally {
      await server.close()
    }
  })

  test('passes on what a server of the old era asks in mid-call', patience, async () => {
    const server = await serveTestHttp({ eras: 'old' })
    try {
      await passesLikeItself({ type: 'http', url: server.url }, '2025-11-25')
    } finally {
      await server.close()
    }
  })
})

async function passesLikeItself(upstream: object, revision: string): Promise<void> {
  const gateway = await guardedGateway(upstream)
  try {
    const ran = await runScenarios(gateway.url, revision)
    expect(ran.exit, ran.output + gateway.talk()).toBe(0)
    expect(Object.fromEntries(ran.scenarios)).toEqual(
      Object.fromEntries(direct.get(revision)?.scenarios ?? []),
    )
    const types = (await gateway.callEntries()).map((entry) => entry.type)
    expect(types.filter((type) => type === 'call_decided').length).toBeGreaterThan(10)
    expect(types.filter((type) => type === 'call_finished').length).toBeGreaterThan(10)
  } finally {
    await gateway.close()
  }
}
