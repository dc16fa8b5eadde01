import { ownPath } from '@statewright/core/wire'

/** In the browser and not in the tab: a login link opens in a tab of its own. */
const key = 'statewright.requested-page'
/** As long as a login link holds. */
const storedMs = 10 * 60_000

/** Keeps where somebody wanted to go who must log in first. */
export function storeRequestedPage(path: string, now: number): void {
  try {
    localStorage.setItem(key, JSON.stringify({ path, at: now }))
  } catch {
    // A browser that keeps nothing leads to the first page.
  }
}

/** Where to go now that somebody is logged in, once; `/` where nobody wanted anything. */
export function takeRequestedPage(now: number): string {
  try {
    const text = localStorage.getItem(key)
    localStorage.removeItem(key)
    const { path, at }: { path?: unknown; at?: unknown } = JSON.parse(text ?? '{}')
    const isFresh = typeof at === 'number' && Math.abs(now - at) < storedMs
    return isFresh ? ownPath(path) : '/'
  } catch {
    return '/'
  }
}

/** The path of a pasted login link, at this address whatever host it names. */
export function loginPath(pasted: string): string | undefined {
  const [, secret] = /^(?:https?:\/\/[^/\s]+)?\/login\/([\w-]{1,200})\/?$/.exec(pasted.trim()) ?? []
  return secret === undefined ? undefined : `/login/${secret}`
}
