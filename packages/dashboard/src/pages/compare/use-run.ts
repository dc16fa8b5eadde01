import type { Run } from '@statewright/core/wire'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type ApiProblem, problemOf } from '../../api/client/problem.ts'
import { programQuery, useEntries } from '../../api/resources/entries.ts'
import { runQuery } from '../../api/resources/queries.ts'
import { type ReadProgram, readProgram } from '../../model/history/program-text.ts'
import type { PlacedEntry } from '../../model/history/recorded-run.ts'

/** A run with all that comparing it needs. */
export interface LoadedRun {
  readonly runId: string
  readonly now: Run
  readonly read: ReadProgram
  readonly entries: readonly PlacedEntry[]
}

interface RunLoad {
  readonly loaded: LoadedRun | undefined
  readonly fault: ApiProblem | undefined
}

/** Reads a run, once one is chosen. */
export function useRun(requested: string | undefined): RunLoad {
  const runId = requested ?? ''
  const enabled = requested !== undefined
  const now = useQuery({ ...runQuery(runId), enabled })
  const program = useQuery({ ...programQuery(runId), enabled })
  const { entries, isReading, error } = useEntries(runId, enabled)
  const read = useMemo(
    () => (program.data === undefined ? null : readProgram(program.data.program)),
    [program.data],
  )
  const fault = now.error ?? program.error ?? error
  const isHere = enabled && now.data !== undefined && read !== null && !isReading
  return {
    fault: fault === null ? undefined : problemOf(fault),
    loaded: isHere && entries !== undefined ? { runId, now: now.data, read, entries } : undefined,
  }
}
