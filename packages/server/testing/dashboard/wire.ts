import type { Page } from 'playwright-core'
import { eventually } from './browser.ts'

export interface Transfer {
  readonly path: string
  /** All that came over the connection for it, with its headers. */
  readonly wireBytes: number
  readonly bodyBytes: number
}

/** What a browser receives, as its own devtools tell it: what it kept costs nothing. */
export async function watchWire(page: Page, url: string) {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.enable')
  const paths = new Map<string, string>()
  const bodies = new Map<string, number>()
  const ended = new Map<string, number>()
  devtools.on('Network.requestWillBeSent', ({ requestId, request }) =>
    paths.set(requestId, request.url.replace(url, '') || '/'),
  )
  devtools.on('Network.dataReceived', ({ requestId, encodedDataLength }) =>
    bodies.set(requestId, (bodies.get(requestId) ?? 0) + encodedDataLength),
  )
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) =>
    ended.set(requestId, encodedDataLength),
  )
  devtools.on('Network.loadingFailed', ({ requestId }) => ended.set(requestId, 0))
  // A stream has no end, and a worker tells its own devtools.
  const isOpen = ([id, path]: readonly [string, string]) =>
    !ended.has(id) && !path.startsWith('/api/feed') && !path.includes('worker')

  return {
    clearCache: () => devtools.send('Network.clearBrowserCache'),
    /** All that was asked for while the work was done, once it has come. */
    async during(work: () => Promise<void>): Promise<Transfer[]> {
      for (const kept of [paths, bodies, ended]) kept.clear()
      await work()
      await eventually(() => [...paths].filter(isOpen)).toEqual([])
      return [...paths].map(([id, path]) => ({
        path,
        wireBytes: ended.get(id) ?? 0,
        bodyBytes: bodies.get(id) ?? 0,
      }))
    },
  }
}
