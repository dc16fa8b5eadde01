import { join } from 'node:path'
import type { Plugin } from 'vite'
import { AgentStateEvent } from '../../packages/core/src/agent/state-event.ts'
import { Entry, endpoints, pinLength } from '../../packages/core/src/wire/index.ts'

const name = '@statewright/core/wire'
const ours = '\0wire-without-shapes'

/**
 * The page is served by the server that it asks, and tests hold every answer of it to its shape
 * (test/wire). So the shapes stay at home: they, and the library that reads by them, would be a
 * quarter of the first load. What the page needs of a row is how to ask and which answers are good.
 */
export function wireWithoutShapes(repository: string): Plugin {
  const wire = join(repository, 'packages', 'core', 'src', 'wire')
  return {
    name: 'wire-without-shapes',
    enforce: 'pre',
    resolveId: (source) => (source === name ? ours : undefined),
    load: (id) => (id === ours ? { code: codeOf(wire), moduleSideEffects: false } : undefined),
  }
}

function codeOf(wire: string): string {
  return `
    export { requestFor } from ${JSON.stringify(join(wire, 'request.ts'))}
    export { ownPath } from ${JSON.stringify(join(wire, 'own-path.ts'))}
    export const pinLength = ${JSON.stringify(pinLength)}
    export const endpoints = ${JSON.stringify(rows())}
    const entryTypes = new Set(${JSON.stringify(typesOf(Entry))})
    const stateEvents = new Set(${JSON.stringify(typesOf(AgentStateEvent))})
    const anyObject = {
      safeParse: (data) => (Object(data) === data ? { success: true, data } : { success: false }),
    }
    export const NewCredential = anyObject
    export const UsedCredential = anyObject
    export const FeedEntry = {
      parse(entry) {
        if (typeof entry.run_id !== 'string') throw new TypeError('no entry of a run')
        return entry
      },
    }
    export function isKnown(entry) {
      return entryTypes.has(entry.type)
    }
    export function readAnswer(row, status, value) {
      const type = row.answers[status] === 'text' ? 'string' : 'object'
      return row.answers[status] && typeof value === type ? (value ?? undefined) : undefined
    }
    export function readUpdate(channel, data) {
      const event = JSON.parse(data)
      const isNewer = channel === 'agent:state_event' && !stateEvents.has(event.type)
      return isNewer ? undefined : { channel, event }
    }
  `
}

/** The words that tell the members of a union apart. */
function typesOf(union: {
  readonly options: readonly { readonly shape: { readonly type: { readonly value: string } } }[]
}): string[] {
  return union.options.map(({ shape }) => shape.type.value)
}

/** Every row without its shapes; where one has a body, `requestFor` has to know. */
function rows(): object {
  return Object.fromEntries(
    Object.entries(endpoints).map(([key, row]) => {
      const { method, path, answers } = row
      const reads = 'reads' in row ? { reads: row.reads } : {}
      const body = 'body' in row ? { body: 1 } : {}
      const good = Object.entries(answers).map(([status, shape]) => [
        status,
        shape === 'text' ? shape : 1,
      ])
      return [key, { method, path, ...reads, ...body, answers: Object.fromEntries(good) }]
    }),
  )
}
