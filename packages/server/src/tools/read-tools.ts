import { z } from 'zod'
import { toolLimits } from './limits.ts'
import { defineTool, errorResult, faultResult, Path, textResult } from './tool.ts'
import { readText } from './workspace/files.ts'

export const readFile = defineTool({
  name: 'read_file',
  description: 'Reads a text file. Long files are read in parts by offset and limit.',
  input: z.strictObject({
    path: Path,
    offset: z.int().min(1).optional().describe('First line to read, counted from 1.'),
    limit: z
      .int()
      .min(1)
      .max(toolLimits.readLines)
      .optional()
      .describe(`How many lines to read; ${toolLimits.readLines} when left out.`),
  }),
  isMutating: false,
  async run({ path, offset = 1, limit = toolLimits.readLines }, { workspace }) {
    const read = await readText(workspace, path)
    if (!read.ok) return faultResult(read.error)
    const lines = read.value.split('\n')
    if (lines.at(-1) === '') lines.pop()
    if (offset > Math.max(1, lines.length)) {
      return errorResult('no_such_line', `${path} has ${lines.length} lines.`)
    }
    const part = lines.slice(offset - 1, offset - 1 + limit)
    const last = offset - 1 + part.length
    const more = last < lines.length ? `\n[lines ${offset} to ${last} of ${lines.length}]` : ''
    return textResult(part.join('\n') + more)
  },
})
