import { compileGlob, ok } from '@statewright/core/internal'
import { z } from 'zod'
import { toolLimits } from './limits.ts'
import { defineTool, faultResult, Path, textResult } from './tool.ts'
import { walk } from './workspace/walk.ts'
import { withSpot } from './workspace/workspace.ts'

export const listFiles = defineTool({
  name: 'list_files',
  description:
    'Lists files under a folder, without .git and node_modules. Links are named, not followed.',
  input: z.strictObject({
    path: Path.optional(),
    glob: z.string().min(1).max(500).optional().describe('Only paths that match, as **/*.ts.'),
  }),
  isMutating: false,
  async run({ path = '.', glob }, { workspace, signal }) {
    const matches = glob === undefined ? undefined : compileGlob(glob)
    const found: string[] = []
    const listed = await withSpot(workspace, path, { make: false }, async ({ folder, name }) => {
      const start = await folder.folder(name, { make: false })
      try {
        const { isWhole } = await walk(workspace, start, (item) => {
          if (item.kind === 'folder') return !signal.aborted
          if (matches === undefined || matches(item.path)) {
            found.push(item.kind === 'other' ? `${item.path} (link or special file)` : item.path)
          }
          return found.length < toolLimits.listedItems && !signal.aborted
        })
        return ok(isWhole)
      } finally {
        await start.close()
      }
    })
    if (!listed.ok) return faultResult(listed.error)
    if (found.length === 0) return textResult('No files.')
    return textResult(found.join('\n') + (listed.value ? '' : '\n[there are more]'))
  },
})
