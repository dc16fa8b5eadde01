import type { Store } from '../store/store.ts'
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
  return {
    ...store,
    runs: {
      ...runs,
      create: (run, batch) => timed(() => runs.create(run, batch)),
      append: (runId, batch) => timed(() => runs.append(runId, batch)),
    },
  }
}
