import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { err, type HookConfig, HooksFile, ok, type Result } from '@statewright/core/internal'
import type { z } from 'zod'

const maxBytes = 256 * 1024
const shownMistakes = 3

/**
 * The post-tool hooks of the data folder, read when a session starts (SE-15). A missing file means
 * none; an invalid one means none as well, and why, for the error `hook_config_invalid`.
 */
export function readHooks(dataFolder: string): Result<readonly HookConfig[], string> {
  const file = join(dataFolder, 'hooks.json')
  try {
    const stat = statSync(file, { throwIfNoEntry: false })
    if (stat === undefined) return ok([])
    if (stat.size > maxBytes) return err(`hooks.json is larger than ${maxBytes} bytes.`)
    const parsed = HooksFile.safeParse(JSON.parse(readFileSync(file, 'utf8')))
    if (parsed.success) return ok(parsed.data.hooks)
    const mistakes = parsed.error.issues.slice(0, shownMistakes).map(mistakeOf)
    return err(`hooks.json is not used: ${mistakes.join(' ')}`)
  } catch (fault) {
    return err(`hooks.json cannot be read: ${fault instanceof Error ? fault.message : fault}`)
  }
}

/** People count hooks from one, and know fields by their names. */
function mistakeOf({ path, message }: z.core.$ZodIssue): string {
  const [list, index, ...rest] = path
  const field = rest.join('.')
  if (list !== 'hooks' || typeof index !== 'number') return `${path.join('.')}: ${message}`
  const hook = `Hook ${index + 1}`
  if (field === '') return `${hook}: ${message}.`
  const isMissing = message.endsWith('received undefined')
  return isMissing ? `${hook} has no "${field}".` : `${hook}, "${field}": ${message}.`
}
