import type { PathShield } from '../../base/key-files.ts'
import { readText } from '../../tools/workspace/files.ts'
import { openWorkspace, type Workspace } from '../../tools/workspace/workspace.ts'

/** What the system prompt of a session is made from. */
export interface SystemPromptFacts {
  readonly projectPath: string
  readonly shield: PathShield
  readonly now: number
  readonly platform: string
  /** What the person who started the session wants said first. */
  readonly words: string | null
}

/** Where projects keep what agents should know; the first that is there counts. */
const instructionFiles = ['AGENTS.md', 'CLAUDE.md', 'GEMINI.md']
const maxInstructions = 32_000

/**
 * What a model is told before the brief of its state (SE-11d): a person's words, where it works,
 * and what the project says to agents. All of it is text: nothing in it gives a right.
 */
export async function systemPrompt(facts: SystemPromptFacts): Promise<string> {
  const { projectPath, shield, words } = facts
  const workspace = openWorkspace(projectPath, shield)
  const own = workspace.ok ? workspace.value : undefined
  const sections = [
    ...(words === null ? [] : [words.trim()]),
    await environment(facts, own),
    ...(own === undefined ? [] : await instructions(own)),
  ]
  return sections.filter((section) => section !== '').join('\n\n')
}

async function environment(
  { projectPath, now, platform }: SystemPromptFacts,
  workspace: Workspace | undefined,
): Promise<string> {
  const branch = workspace === undefined ? undefined : await gitBranch(workspace)
  return [
    '# Environment',
    `Folder: ${projectPath}`,
    `Platform: ${platform}`,
    `Date: ${new Date(now).toISOString().slice(0, 10)}`,
    branch === undefined ? 'Git: no repository' : `Git: on the branch ${branch}`,
  ].join('\n')
}

/** By the file alone: asking git would run what the workspace brings. */
async function gitBranch(workspace: Workspace): Promise<string | undefined> {
  const head = await readText(workspace, '.git/HEAD')
  if (!head.ok) return undefined
  return /^ref: refs\/heads\/([^\s]{1,200})$/m.exec(head.value)?.[1] ?? 'none (detached)'
}

async function instructions(workspace: Workspace): Promise<string[]> {
  for (const name of instructionFiles) {
    const read = await readText(workspace, name)
    if (!read.ok || read.value.trim() === '') continue
    const isCut = read.value.length > maxInstructions
    const text = isCut ? read.value.slice(0, maxInstructions).toWellFormed() : read.value
    const cut = isCut ? `\n[${read.value.length - maxInstructions} characters left out]` : ''
    return [`# ${name} of the project\n${text.trim()}${cut}`]
  }
  return []
}
