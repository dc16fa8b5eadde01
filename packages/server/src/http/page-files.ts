import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { type Encoding, encodingFor, hasAlready, tagOf } from './pipeline/encoding.ts'
import type { Reply } from './pipeline/reply.ts'

type Bytes = Uint8Array<ArrayBuffer>

export interface PageFile {
  readonly type: string
  readonly body: Bytes
  /** The same in fewer bytes, made when the page was built. */
  readonly encoded: Readonly<Partial<Record<Encoding, Bytes>>>
  readonly tag: string
  /** Its name holds the hash of its bytes: whoever has it never asks again. */
  readonly isHashed: boolean
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
    const path = `/${name.replaceAll('\\', '/')}`
    const whole = join(folder, name)
    const encoded = { ...encodedAs('br', whole), ...encodedAs('gzip', whole) }
    files.set(path, pageFile({ path, type, body: readFileSync(whole), encoded }))
  }
  const index = files.get('/index.html')
  if (index !== undefined) files.set('/', index)
  return files
}

const endings: Readonly<Record<Encoding, string>> = { br: '.br', gzip: '.gz' }

function encodedAs(encoding: Encoding, file: string): Partial<Record<Encoding, Bytes>> {
  const small = file + endings[encoding]
  return existsSync(small) ? { [encoding]: readFileSync(small) } : {}
}

export function pageFile(
  file: Pick<PageFile, 'type' | 'body'> & Partial<Pick<PageFile, 'encoded'>> & { path: string },
): PageFile {
  const { path, type, body, encoded = {} } = file
  const isHashed = /^\/assets\/.+-[\w-]{8}\.\w+$/.test(path)
  return { type, body, encoded, tag: tagOf(body), isHashed }
}

/** A file as the reader takes it, or no more than that it has it already. */
export function fileReply(file: PageFile, sent: Headers): Reply {
  const { type, body, encoded, tag, isHashed } = file
  const headers = {
    'cache-control': isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
    vary: 'accept-encoding',
    etag: tag,
  }
  if (hasAlready(sent, tag)) return { status: 304, type, payload: null, headers }
  const encoding = encodingFor(sent)
  const small = encoding === undefined ? undefined : encoded[encoding]
  if (encoding === undefined || small === undefined) {
    return { status: 200, type, payload: body, headers }
  }
  return {
    status: 200,
    type,
    payload: small,
    headers: { ...headers, 'content-encoding': encoding },
  }
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
