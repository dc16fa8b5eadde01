import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants, gzip } from 'node:zlib'
import type { HttpHeaders } from '../../base/http-request.ts'

export type Encoding = 'br' | 'gzip'

/**
 * Making an answer smaller costs about 0.2 ms and a buffer. A smaller answer than this travels in
 * three packets anyway, so it would be sent no sooner.
 */
const minCompressedBytes = 4096

const brotliAsync = promisify(brotliCompress)
const gzipAsync = promisify(gzip)
const unbrotliAsync = promisify(brotliDecompress)

/** The better of what a reader takes; undefined where it takes neither. */
export function encodingFor(headers: HttpHeaders): Encoding | undefined {
  const taken = new Map(
    (headers.get('accept-encoding') ?? '').split(',').map((one) => {
      const [name = '', ...parameters] = one.split(';').map((part) => part.trim().toLowerCase())
      const quality = parameters.find((part) => part.startsWith('q='))?.slice(2)
      return [name, quality === undefined ? 1 : Number(quality)] as const
    }),
  )
  const takes = (name: Encoding) => (taken.get(name) ?? taken.get('*') ?? 0) > 0
  if (takes('br')) return 'br'
  return takes('gzip') ? 'gzip' : undefined
}

/** A text in fewer bytes, made beside the thread that decides calls. */
export async function compressed(
  text: string,
  encoding: Encoding,
): Promise<Uint8Array<ArrayBuffer>> {
  const small =
    encoding === 'br'
      ? await brotliAsync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })
      : await gzipAsync(text, { level: 4 })
  return new Uint8Array(small)
}

/** The bytes behind a brotli. */
export async function unpacked(bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await unbrotliAsync(bytes))
}

/** As small as gzip gets, for what is sent often. */
export async function gzipped(bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await gzipAsync(bytes, { level: 9 }))
}

export function isWorthCompressing(text: string): boolean {
  return text.length >= minCompressedBytes
}

/** The name of some bytes. Weak, because it is the same for every encoding of them. */
export function tagOf(bytes: string | Uint8Array): string {
  return `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
}

/** Whether the reader has just these bytes already. */
export function hasAlready(headers: HttpHeaders, tag: string): boolean {
  const strong = tag.replace(/^W\//, '')
  const known = headers.get('if-none-match')?.split(',') ?? []
  return known.some((one) => one.trim().replace(/^W\//, '') === strong)
}
