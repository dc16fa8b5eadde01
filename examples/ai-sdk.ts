// Guard the tools of an AI SDK agent. Run it: node examples/ai-sdk.ts
import { generateText, stepCountIs, tool } from 'ai'
import { createStatewright, guardTools } from 'statewright/sdk'
import { z } from 'zod'
import { playedModel } from './played-model.ts'

const statewright = await createStatewright()
const definition = {
  id: 'careful',
  initial: 'looking',
  states: {
    looking: { allowed_tools: ['read_file'], on: { READY: 'changing' } },
    changing: { allowed_tools: ['read_file', 'write_file'], on: { DONE: 'done' } },
    done: { type: 'final' },
  },
}
const run = await statewright.start({ definition })

const written: string[] = []
const tools = guardTools(
  {
    read_file: tool({
      description: 'Read a file.',
      inputSchema: z.object({ file_path: z.string() }),
      execute: async ({ file_path }) => `the text of ${file_path}`,
    }),
    write_file: tool({
      description: 'Write a file.',
      inputSchema: z.object({ file_path: z.string(), content: z.string() }),
      execute: async ({ file_path }) => {
        written.push(file_path)
        return 'written'
      },
    }),
  },
  run,
)

// Put a model of yours here, such as anthropic('…'). This one plays a script: it tries to write
// at once, is told that it may not, reads instead, and gives up.
const model = playedModel([
  { tool: 'write_file', input: { file_path: 'a.ts', content: 'x' } },
  { tool: 'read_file', input: { file_path: 'a.ts' } },
  'I may only look for now.',
])

const { text, steps } = await generateText({
  model,
  tools,
  prompt: 'Write a.ts.',
  stopWhen: stepCountIs(5),
})
for (const { content } of steps) {
  for (const part of content) {
    if (part.type === 'tool-error') console.log(`${part.toolName}: ${part.error}`)
    if (part.type === 'tool-result') console.log(`${part.toolName}: ${part.output}`)
  }
}
console.log(text)
console.log(`files written: ${written.length}`)
await statewright.close()
