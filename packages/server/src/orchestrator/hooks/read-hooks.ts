import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { err, type HookConfig, HooksFile, ok, type Result } from '@statewright/core/internal'
import { z } from 'zod'

const maxBytes = 256 * 1024

/**
 * The post-tool hooks of the data folder, read once at start (SE-15). A missing file means none; an
 * invalid one means none as well, and why, for the error `hook_config_invalid`.
 */
export function readHooks(dataFolder: string): Result<readonly HookConfig[], string> {
  const file = join(dataFolder, 'hooks.json')
  try {
    const stat = statSync(file, { throwIfNoEntry: false })
    if (stat === undefined) return ok([])
    if (stat.size > maxBytes) return err(`hooks.json is larger than ${maxBytes} bytes.`)
    const parsed = HooksFile.safeParse(JSON.parse(readFileSync(file, 'utf8')))
    if (parsed.success) return ok(parsed.data.hooks)
    return err(`hooks.json does not fit: ${z.prettifyError(parsed.error)}`)
  } catch (fault) {
    return err(`hooks.json cannot be read: ${fault instanceof Error ? fault.message : fault}`)
  }
}
