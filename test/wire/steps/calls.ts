import { endpoints, FeedEntry } from '@statewright/core/wire'
import { expect } from 'vitest'
import type { Walk } from '../walk.ts'
import { start } from './runs.ts'

/** A hook asks for a session that nobody has bound, and the feed tells what became of all runs. */
export async function callSteps(walk: Walk): Promise<void> {
  const body = { session: 'nobody', tool: 'Read', input: { file_path: 'a' } }
  await walk.call(endpoints.checkCall, { body })
  const run = await start(walk)
  await walk.as('person').call(endpoints.stopRun, { params: { id: run }, body: {} })
  for await (const entry of feed(walk)) {
    const read = FeedEntry.parse(entry)
    expect(read).toEqual(entry)
    if (read.run_id === run && read.type === 'run_ended') return
  }
  throw new Error('the feed ended before it told all')
}

async function* feed(walk: Walk): AsyncGenerator<unknown> {
  const { body } = await walk.fetch('/api/feed?from=0', 'person')
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    const lines = text.split('\n')
    text = lines.pop() ?? ''
    for (const line of lines) {
      if (line.startsWith('data:')) yield JSON.parse(line.slice('data:'.length))
    }
  }
}
