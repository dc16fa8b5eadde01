import { parentPort, workerData } from 'node:worker_threads'
import { openReader } from '../store/open.ts'
import { replayRuns } from './replay-runs.ts'
import type { ReplayMessage, ReplayWork } from './request.ts'

// A thread of its own, with a connection of its own: judging calls goes on beside it.
const { source, request } = workerData as ReplayWork // made by `Replays` alone
const store = await openReader(source)
try {
  const send = (message: ReplayMessage) => parentPort?.postMessage(message)
  const report = await replayRuns(store, request, (progress) => {
    send({ type: 'progress', progress })
  })
  send({ type: 'done', report })
} finally {
  await store.close()
}
