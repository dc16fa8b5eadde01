import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'

export interface PageFile {
  readonly type: string
  readonly body: Uint8Array<ArrayBuffer>
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/**
 * Reads the built dashboard once, by the paths it is served under. A request then looks up a name
 * in this map and never touches the disk, so no path in it can leave the folder.
 */
export function readPageFiles(folder: string): ReadonlyMap<string, PageFile> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const files = new Map<string, PageFile>()
  for (const name of names) {
    const type = types[extname(name)]
    if (type === undefined) continue
    files.set(`/${name.replaceAll('\\', '/')}`, { type, body: readFileSync(join(folder, name)) })
  }
  const index = files.get('/index.html')
  if (index !== undefined) files.set('/', index)
  return files
}

/** Addresses below these belong to the dashboard, which finds out by itself what they mean. */
const pageRoots: ReadonlySet<string> = new Set([
  'runs',
  'compare',
  'open',
  'workflows',
  'processes',
  'templates',
  'sessions',
  'policies',
  'activity',
  'settings',
  'memory',
  'playground',
])

/** The file at a path, or the dashboard where one of its views has this address. */
export function pageAt(pages: ReadonlyMap<string, PageFile>, path: string): PageFile | undefined {
  const [, first = ''] = path.split('/')
  return pages.get(path) ?? (pageRoots.has(first) ? pages.get('/') : undefined)
}
