import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import {
  type Encoding,
  encodingFor,
  gzipped,
  hasAlready,
  tagOf,
  unpacked,
} from './pipeline/encoding.ts'
import type { Reply } from './pipeline/reply.ts'

type Bytes = Uint8Array<ArrayBuffer>

export interface PageFile {
  readonly type: string
  readonly tag: string
  /** Its name holds the hash of its bytes: anyone who has it never asks again. */
  readonly isHashed: boolean
  /** Its bytes in an encoding, or as they are; undefined where it is not sent in that one. */
  readonly as: (encoding: Encoding | 'identity') => Promise<Bytes> | undefined
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
  const found = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const names = new Set(found.map((name) => name.replace(/\.br$/, '')))
  const files = new Map<string, PageFile>()
  for (const name of names) {
    const type = types[extname(name)]
    if (type === undefined) continue
    const path = `/${name.replaceAll('\\', '/')}`
    const whole = join(folder, name)
    const [plain, brotli] = [readIf(whole), readIf(`${whole}.br`)]
    files.set(path, pageFile({ path, type, plain, brotli }))
  }
  // Pages that are not built with the dashboard do not know the hash of its font.
  const font = [...files].find(([path]) => /^\/assets\/inter-ascii-[^/]+\.woff2$/.test(path))?.[1]
  if (font !== undefined) files.set('/font.woff2', { ...font, isHashed: false })
  const index = files.get('/index.html')
  if (index !== undefined) files.set('/', index)
  return files
}

function readIf(file: string): Bytes | undefined {
  return existsSync(file) ? readFileSync(file) : undefined
}

/**
 * A file from its bytes. The package that people install has only the brotli that was made when the
 * page was built; what few browsers want else is made of it once, when the first of them asks.
 */
export function pageFile(file: {
  readonly path: string
  readonly type: string
  readonly plain?: Bytes | undefined
  readonly brotli?: Bytes | undefined
}): PageFile {
  const { path, type, plain, brotli } = file
  const packed = brotli ?? plain ?? new Uint8Array()
  let whole: Promise<Bytes> | undefined
  let zipped: Promise<Bytes> | undefined
  const identity = () => {
    whole ??= plain === undefined ? unpacked(packed) : Promise.resolve(plain)
    return whole
  }
  return {
    type,
    tag: tagOf(packed),
    isHashed: /^\/assets\/.+-[\w-]{8}\.\w+$/.test(path),
    as: (encoding) => {
      if (encoding === 'identity') return identity()
      // What was not worth it as brotli is not worth it as gzip.
      if (brotli === undefined) return undefined
      if (encoding === 'br') return Promise.resolve(brotli)
      zipped ??= identity().then(gzipped)
      return zipped
    },
  }
}

/** A file as the reader takes it, or no more than that it has it already. */
export async function fileReply(file: PageFile, sent: Headers): Promise<Reply> {
  const { type, tag, isHashed } = file
  const headers = {
    'cache-control': isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
    vary: 'accept-encoding',
    etag: tag,
  }
  if (hasAlready(sent, tag)) return { status: 304, type, payload: null, headers }
  const encoding = encodingFor(sent) ?? 'identity'
  const small = encoding === 'identity' ? undefined : await file.as(encoding)
  if (small === undefined) {
    return { status: 200, type, payload: (await file.as('identity')) ?? null, headers }
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
