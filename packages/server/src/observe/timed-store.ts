import type { RunStore, Store } from '../store/store.ts'
import type { Metrics } from './metrics.ts'

/** The same store, with the time of its commits told to the metrics. */
export function timedStore(store: Store, metrics: Metrics): Store {
  const { runs } = store
  const timed = async <Value>(work: () => Promise<Value>): Promise<Value> => {
    const before = performance.now()
    const done = await work()
    metrics.timeCommit((performance.now() - before) / 1000)
    return done
  }
  const timedRuns: RunStore = {
    create: (run, batch) => timed(() => runs.create(run, batch)),
    append: (runId, batch) => timed(() => runs.append(runId, batch)),
    load: (runId) => runs.load(runId),
    list: (filter) => runs.list(filter),
    entries: (runId, page) => runs.entries(runId, page),
    entryOfCall: (runId, callId) => runs.entryOfCall(runId, callId),
    blobsOfCall: (runId, callId) => runs.blobsOfCall(runId, callId),
    newestOfSession: (session) => runs.newestOfSession(session),
    ofWorkflow: (wanted) => runs.ofWorkflow(wanted),
    bindAgent: (runId, tokenId) => runs.bindAgent(runId, tokenId),
    bindConnection: (runId, connection) => runs.bindConnection(runId, connection),
    moveToSession: (runId, session) => runs.moveToSession(runId, session),
  }
  return {
    runs: timedRuns,
    definitions: store.definitions,
    policies: store.policies,
    spend: store.spend,
    activity: store.activity,
    approvals: store.approvals,
    deliveries: store.deliveries,
    counters: store.counters,
    tokens: store.tokens,
    settings: store.settings,
    notebook: store.notebook,
    sessions: store.sessions,
    feed: store.feed,
    check: () => store.check(),
    close: () => store.close(),
  }
}
