import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Committed } from '../store.ts'
import type { BatchWrite } from './write-batch.ts'
import { WriteGroups } from './write-groups.ts'

const committed: Committed = { kind: 'committed', feedAt: '1-1' }

/** What would go to Postgres, and answers that come when the test says so. */
function groupsOf({ isBusy = false } = {}) {
  const sent: { runs: string; answer: PromiseWithResolvers<readonly Committed[]> }[] = []
  const alone: string[] = []
  const groups = new WriteGroups({
    sendTogether: (writes) => {
      const answer = Promise.withResolvers<readonly Committed[]>()
      sent.push({ runs: writes.map(({ runId }) => runId).join(''), answer })
      return answer.promise
    },
    sendAlone: async ({ runId }, { wasTried }) => {
      if (wasTried) alone.push(runId)
      if (wasTried) return committed
      const answer = Promise.withResolvers<readonly Committed[]>()
      sent.push({ runs: runId, answer })
      await answer.promise
      return committed
    },
    isDoubtful: (fault) => fault instanceof Error && fault.message === 'lost',
    isBusy: () => isBusy,
  })
  const submit = (runs: string) => [...runs].map((runId) => groups.submit(writeOf(runId)))
  const answer = (at: number) => {
    const one = sent[at]
    one?.answer.resolve([...one.runs].map(() => committed))
  }
  return { groups, sent, alone, submit, answer, runs: () => sent.map(({ runs }) => runs) }
}

function writeOf(runId: string, bytes = 1): BatchWrite {
  const row = { status: 'running', state: 'one', updatedAt: 1, calls: 1, denials: 0 } as const
  const batch = {
    ...{ afterSeq: 1, lastSeq: 2, chain: 'h', snapshot: 'x'.repeat(bytes) },
    ...{ entries: [], opened: [], closed: [], blobs: [], policyEpoch: 1 },
    ...{ marks: undefined, takes: undefined, settles: undefined, charges: undefined },
    row: { ...row, transitions: 0, costMicros: 0 },
  }
  return { runId, run: null, batch }
}

test('WF-34: what comes in one moment goes out together and waits for no other', async () => {
  const { submit, answer, runs } = groupsOf()
  const first = submit('abc')
  await turn()
  submit('d')
  await turn()
  expect(runs()).toEqual(['abc', 'd'])
  answer(0)
  expect(await Promise.all(first)).toEqual([committed, committed, committed])
})

test('WF-34: no more than four groups are under way', async () => {
  const { submit, answer, runs } = groupsOf()
  for (const run of 'abcdef') {
    submit(run)
    await turn()
  }
  expect(runs()).toEqual(['a', 'b', 'c', 'd'])
  answer(1)
  await turn()
  await turn()
  expect(runs()).toEqual(['a', 'b', 'c', 'd', 'ef'])
})

test('WF-34: a busy node sends one group after the other', async () => {
  const { submit, answer, runs } = groupsOf({ isBusy: true })
  submit('a')
  await turn()
  submit('b')
  await turn()
  submit('c')
  await turn()
  expect(runs()).toEqual(['a'])
  answer(0)
  await turn()
  await turn()
  expect(runs()).toEqual(['a', 'bc'])
})

test('WF-34: a group of a busy node waits for a look under way, and for no second', async () => {
  const { groups, submit, runs } = groupsOf({ isBusy: true })
  const [first, second] = [Promise.withResolvers<number>(), Promise.withResolvers<number>()]
  const seen = groups.afterLook(first.promise)
  submit('a')
  await turn()
  expect(runs()).toEqual([])
  void groups.afterLook(second.promise)
  first.resolve(7)
  expect(await seen).toBe(7)
  submit('b')
  await turn()
  expect(runs()).toEqual(['ab'])
})

test('WF-34: a look that fails holds up no group', async () => {
  const { groups, submit, runs } = groupsOf({ isBusy: true })
  const look = groups.afterLook(Promise.reject(new Error('the database is away')))
  submit('a')
  await expect(look).rejects.toThrow('away')
  await turn()
  await turn()
  expect(runs()).toEqual(['a'])
})

test('WF-34: a group holds one write of each run, and not too many or too long ones', async () => {
  const { groups, submit, answer, runs } = groupsOf({ isBusy: true })
  submit('aab')
  await turn()
  expect(runs()).toEqual(['a'])
  answer(0)
  await turn()
  await turn()
  expect(runs()).toEqual(['a', 'ab'])
  void groups.submit(writeOf('c', 700_000))
  void groups.submit(writeOf('d', 700_000))
  answer(1)
  await turn()
  await turn()
  expect(runs()).toEqual(['a', 'ab', 'c'])
  for (let at = 0; at < 70; at++) void groups.submit(writeOf(String.fromCharCode(200 + at)))
  answer(2)
  await turn()
  await turn()
  expect(runs().at(-1)).toHaveLength(64)
})

test('WF-34: a write that Postgres refuses is found by halves and harms no other', async () => {
  const { sent, submit, answer, runs } = groupsOf()
  const ends = Promise.allSettled(submit('abxd'))
  await turn()
  sent[0]?.answer.reject(new Error('refused'))
  await turn()
  answer(1)
  await turn()
  sent[2]?.answer.reject(new Error('refused'))
  await turn()
  sent[3]?.answer.reject(new Error('refused'))
  await turn()
  answer(4)
  expect((await ends).map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'rejected',
    'fulfilled',
  ])
  expect(runs()).toEqual(['abxd', 'ab', 'xd', 'x', 'd'])
})

test('WF-34: after a lost connection each write looks for itself', async () => {
  const { sent, alone, submit, runs } = groupsOf()
  const ends = Promise.all(submit('abc'))
  await turn()
  sent[0]?.answer.reject(new Error('lost'))
  expect(await ends).toEqual([committed, committed, committed])
  expect(runs()).toEqual(['abc'])
  expect(alone).toEqual(['a', 'b', 'c'])
})
