import type { InstallKey, InstallRecord } from '../install/record.ts'

/** A client and one of its keys: what one server judges of it. */
export interface Installation {
  readonly record: InstallRecord
  readonly key: InstallKey
}

/** Whether calls in this project are judged by it. */
export function guardsHere({ record, key }: Installation, project: string): boolean {
  const only = key.project ?? record.project
  return only === undefined || only === project
}

export function nameOf({ record, key }: Installation): string {
  return `${record.client} (${key.project ?? record.project ?? 'every folder'})`
}

/** What mends most of what can be wrong with one. */
export function reinstall({ record, key }: Installation): string {
  const wanted = (key.project ?? record.project) === undefined ? 'user' : 'project'
  return `run "statewright install ${record.client} --${wanted}" again.`
}
