import type { SettingStore } from '../store/store.ts'

/** A time in which nobody judged, because the server had died. */
export interface Gap {
  /** When the server was there again. */
  readonly until: number
}

/**
 * Marks that the server runs, and finds out whether it had stopped in order. What an unclean stop
 * leaves is one setting: the runs it concerns are told when they are next taken up, so that a
 * start stays fast with any number of them.
 */
export async function markStart(
  settings: SettingStore,
  node: string,
  now: number,
): Promise<Gap | undefined> {
  const before = await settings.get(runningKey(node))
  if (before === 'running') await settings.set(gapKey(node), String(now))
  await settings.set(runningKey(node), 'running')
  // One of an earlier start may still concern runs that nobody has touched since.
  const until = Number(await settings.get(gapKey(node)))
  return Number.isFinite(until) && until > 0 ? { until } : undefined
}

export async function markStop(settings: SettingStore, node: string): Promise<void> {
  await settings.set(runningKey(node), 'stopped')
}

function runningKey(node: string): string {
  return `server.running.${node}`
}

function gapKey(node: string): string {
  return `server.gap.${node}`
}
