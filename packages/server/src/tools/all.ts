import { editFile, writeFile } from './edit-tools.ts'
import { gitApply, gitCheckout, gitCommit, gitDiff, gitStatus } from './git-tools.ts'
import { listFiles } from './list-tool.ts'
import { applyPatch } from './patch-tool.ts'
import { readFile } from './read-tools.ts'
import { grep, searchFiles } from './search-tools.ts'
import { bash, runCommand } from './shell-tools.ts'
import type { Tool } from './tool.ts'

export { editFile, grep, listFiles, readFile, writeFile }

/** The tools that every session has (SE-10), in the order in which a model is told of them. */
export const builtInTools: readonly Tool[] = [
  readFile,
  listFiles,
  grep,
  searchFiles,
  editFile,
  writeFile,
  applyPatch,
  bash,
  runCommand,
  gitStatus,
  gitDiff,
  gitCommit,
  gitCheckout,
  gitApply,
]
