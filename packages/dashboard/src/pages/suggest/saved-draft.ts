/** A text that somebody has not saved yet. It outlives the tab, the browser and the server. */
export interface SavedDraft {
  readonly text: string
  /** The version it began with, to notice that somebody saved another meanwhile. */
  readonly baseHash: string
  readonly at: number
}

const prefix = 'statewright.draft.'

export function draftKey(kind: string, name: string): string {
  return `${prefix}${kind}.${name}`
}

export function readDraft(key: string): SavedDraft | null {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(key) ?? 'null')
    if (typeof value !== 'object' || value === null) return null
    const { text, baseHash, at } = { text: null, baseHash: '', at: 0, ...value }
    if (typeof text !== 'string') return null
    return { text, baseHash: String(baseHash), at: Number(at) }
  } catch {
    // A browser that keeps nothing still edits.
    return null
  }
}

export function keepDraft(key: string, draft: SavedDraft | null): void {
  try {
    if (draft === null) localStorage.removeItem(key)
    else localStorage.setItem(key, JSON.stringify(draft))
  } catch {
    // Full or forbidden: then leaving the page asks, as it always does.
  }
}
