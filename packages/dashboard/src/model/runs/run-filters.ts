import type { RunStatus } from '@statewright/core/internal'

/** What the list of runs is narrowed to. It stands in the address of the page. */
export interface RunFilters {
  readonly status: readonly RunStatus[]
  readonly workflow: string
  readonly project: string
  /** Words that the server looks for in each run. */
  readonly search: string
  readonly span: RunSpan | ''
}

/** How long ago a run may have changed last. */
export const runSpans = { '1h': 3_600_000, '1d': 86_400_000, '7d': 604_800_000 } as const
export type RunSpan = keyof typeof runSpans

export const runStatuses = [
  'running',
  'waiting',
  'paused',
  'blocked',
  'completed',
  'failed',
  'stopped',
] as const satisfies readonly RunStatus[]

/** The address as a person may have typed it: what means nothing is left out. */
export function readFilters(search: Readonly<Record<string, unknown>>): RunFilters {
  const words = typeof search.status === 'string' ? search.status.split(',') : []
  return {
    status: runStatuses.filter((status) => words.includes(status)),
    workflow: textIn(search.workflow),
    project: textIn(search.project),
    search: textIn(search.search).slice(0, 200),
    span: spanIn(search.span),
  }
}

/** The shortest address for these filters. */
export function writeFilters(filters: RunFilters): Record<string, string> {
  return {
    ...(filters.status.length === 0 ? {} : { status: filters.status.join(',') }),
    ...(filters.workflow === '' ? {} : { workflow: filters.workflow }),
    ...(filters.project === '' ? {} : { project: filters.project }),
    ...(filters.search === '' ? {} : { search: filters.search }),
    ...(filters.span === '' ? {} : { span: filters.span }),
  }
}

/** A run that has not ended. */
export const liveStatuses = [
  'running',
  'waiting',
  'paused',
  'blocked',
] as const satisfies readonly RunStatus[]

export interface Filtered {
  readonly status: RunStatus
  readonly workflow: string
  readonly project: string | null
}

/** Whether a run belongs into the list; the server answers by the same rule. */
export function passesFilters(run: Filtered, filters: RunFilters): boolean {
  const { status, workflow, project } = filters
  if (status.length > 0 && !status.includes(run.status)) return false
  if (workflow !== '' && run.workflow !== workflow) return false
  return project === '' || run.project === project
}

function spanIn(value: unknown): RunSpan | '' {
  return value === '1h' || value === '1d' || value === '7d' ? value : ''
}

function textIn(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, 500) : ''
}
