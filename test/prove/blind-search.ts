import { registerHooks } from 'node:module'
import type { Blindness } from './blindness.ts'

// What a search that is blind to something says, beside brute force. A process of its own: modules
// are shared between tests, and this one is not as it is.
const [, , kind = ''] = process.argv
const blindness = new URL('./blindness.ts', import.meta.url)

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context)
    if (!url.endsWith('/prove/situation.ts')) return loaded
    const text = String(loaded.source)
    const source = [
      `import { blinded } from '${blindness}'`,
      text.replace('export function situation(', 'function whole('),
      `export const situation = blinded('${kind}', whole)`,
    ].join('\n')
    return { ...loaded, source }
  },
})

const { compareBlind } = await import('./blind-worlds.ts')
process.stdout.write(JSON.stringify(compareBlind(kind as Blindness)))
