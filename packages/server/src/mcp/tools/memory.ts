import { ok } from '@statewright/core/internal'
import { KeptText, Memory, MemoryKey, MemoryLine, Tags } from '@statewright/core/wire'
import { z } from 'zod'
import { deleteMemory, getMemory, setMemory } from '../../notebook/memory.ts'
import { wireMemory, wireMemoryLine } from '../../notebook/wire-notebook.ts'
import { notebookProject } from '../routine/routine-project.ts'
import { Name, type OwnTool, ownTool, RunHandle } from './tool.ts'

const memorySet = ownTool({
  name: 'memory_set',
  description: 'Store a text for this project under a key; an older text is replaced.',
  input: z.object({
    key: MemoryKey,
    value: KeptText.describe('The text, at most 64 kB.'),
    tags: Tags.optional(),
    run: RunHandle,
  }),
  output: Memory,
  async call(from, { key, value, tags }) {
    const done = await setMemory(from.runtime, notebookProject(from), {
      key,
      value,
      tags: tags ?? [],
    })
    return done.ok ? ok(wireMemory(done.value)) : done
  },
})

const memoryGet = ownTool({
  name: 'memory_get',
  description: 'Read the text stored under a key.',
  input: z.object({ key: MemoryKey, run: RunHandle }),
  output: Memory,
  isReading: true,
  async call(from, { key }) {
    const done = await getMemory(from.runtime, notebookProject(from), key)
    return done.ok ? ok(wireMemory(done.value)) : done
  },
})

const Lines = z.object({ memories: z.array(MemoryLine) })

const memoryList = ownTool({
  name: 'memory_list',
  description: 'List the memory of this project: keys, tags and how each text begins.',
  input: z.object({ tag: Name.optional().describe('Only with this tag.'), run: RunHandle }),
  output: Lines,
  isReading: true,
  async call(from, { tag }) {
    const rows = await from.runtime.store.notebook.listMemory(notebookProject(from))
    const wanted = tag === undefined ? rows : rows.filter((row) => row.tags.includes(tag))
    return ok({ memories: wanted.map(wireMemoryLine) })
  },
})

const memorySearch = ownTool({
  name: 'memory_search',
  description: 'Search the memory of this project by words in keys, texts and tags.',
  input: z.object({
    query: Name.describe('Words that must all occur; case does not matter.'),
    run: RunHandle,
  }),
  output: Lines,
  isReading: true,
  async call(from, { query }) {
    const rows = await from.runtime.store.notebook.listMemory(notebookProject(from), query)
    return ok({ memories: rows.map(wireMemoryLine) })
  },
})

const memoryDelete = ownTool({
  name: 'memory_delete',
  description: 'Delete the text stored under a key.',
  input: z.object({ key: MemoryKey, run: RunHandle }),
  output: Memory,
  async call(from, { key }) {
    const done = await deleteMemory(from.runtime, notebookProject(from), key)
    return done.ok ? ok(wireMemory(done.value)) : done
  },
})

export const memoryTools: readonly OwnTool[] = [
  memorySet,
  memoryGet,
  memoryList,
  memorySearch,
  memoryDelete,
]
