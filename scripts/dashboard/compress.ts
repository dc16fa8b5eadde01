import { copyFileSync, existsSync, readdirSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'

const brotliAsync = promisify(brotliCompress)

/**
 * Puts the smallest brotli of every file that shrinks beside it, as the server sends it.
 * The name of an asset holds the hash of its bytes: what the build before made of it is taken over.
 */
export async function compressAll(folder: string, before: string): Promise<void> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const texts = names.filter((name) => /\.(js|css|svg|html)$/.test(name))
  await Promise.all(texts.map((name) => compressOne(folder, before, name)))
}

async function compressOne(folder: string, before: string, name: string): Promise<void> {
  const file = join(folder, name)
  const old = join(before, name)
  if (name.startsWith('assets') && existsSync(`${old}.br`)) {
    copyFileSync(`${old}.br`, `${file}.br`)
    return
  }
  const bytes = await readFile(file)
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  }
  await writeFile(`${file}.br`, await brotliAsync(bytes, { params }))
}
