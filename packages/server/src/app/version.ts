import { readFileSync } from 'node:fs'
import { z } from 'zod'

const manifest = new URL('../../package.json', import.meta.url)

/** The version of this program, from the one place where it is written. */
export const version = z
  .looseObject({ version: z.string() })
  .parse(JSON.parse(readFileSync(manifest, 'utf8'))).version
