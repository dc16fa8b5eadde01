import { z } from 'zod'
import { namesBy, whyUnchangeable, withoutHidden } from './git-names.ts'
import { runGit } from './git-run.ts'
import { toolLimits } from './limits.ts'
import { defineTool, faultResult, Path, type ToolDone, type ToolHost, textResult } from './tool.ts'
import { pathInside } from './workspace/workspace.ts'

const onlyNames = ['--name-only', '-z', '--no-renames', '--no-ext-diff', '--no-textconv']
const allNames = ['ls-files', '-z', '-m', '-d', '-o', '--exclude-standard', '--']
const plainDiff = ['--no-ext-diff', '--no-textconv', '--no-color']

/** A name that git cannot take for an option, a range or a message of `@{…}`. */
const Ref = z
  .string()
  .max(200)
  .regex(/^(?!.*\.\.)\w[\w./-]*(?:[~^]\d*)*$/, 'is not the plain name of a commit or git branch')

const Paths = z.array(Path).max(toolLimits.gitPaths)

export const gitStatus = defineTool({
  name: 'git_status',
  description: 'Shows the git branch and what has changed.',
  input: z.strictObject({}),
  isMutating: false,
  run: (_, host) => runGit(host, { args: ['status', '--short', '--branch'], needsFilters: false }),
})

export const gitDiff = defineTool({
  name: 'git_diff',
  description: 'Shows changes: of the working tree, of what is staged, or against a commit.',
  input: z.strictObject({
    staged: z.boolean().optional(),
    ref: Ref.optional(),
    paths: Paths.optional(),
  }),
  isMutating: false,
  run: ({ staged, ref, paths = [] }, host) =>
    withPaths(host, paths, async (inside) => {
      const what = [...(staged === true ? ['--cached'] : []), ...(ref === undefined ? [] : [ref])]
      const names = await namesBy(host, { args: ['diff', ...onlyNames, ...what, '--', ...inside] })
      if (!names.ok) return names.error
      const shown = withoutHidden(host, names.value, inside)
      if (!shown.ok) return shown.error
      const { paths: left, leftOut } = shown.value
      if (leftOut > 0 && left.length === 0) return textResult('(no output)')
      const args = ['diff', ...plainDiff, ...what, '--', ...left]
      return runGit(host, { args, needsFilters: false })
    }),
})

export const gitCommit = defineTool({
  name: 'git_commit',
  description: 'Commits the given paths; without paths, all changes.',
  input: z.strictObject({ message: z.string().min(1).max(20_000), paths: Paths.min(1).optional() }),
  isMutating: true,
  run: ({ message, paths }, host) =>
    withPaths(host, paths ?? [], async (inside) => {
      const listed = await namesBy(host, { args: [...allNames, ...inside] })
      if (!listed.ok) return listed.error
      const chosen = withoutHidden(host, listed.value, inside)
      if (!chosen.ok) return chosen.error
      const isAll = paths === undefined && chosen.value.leftOut === 0
      const what = isAll ? ['--all'] : ['--', ...chosen.value.paths]
      const added = await runGit(host, { args: ['add', ...what], needsFilters: true })
      if (!added.ok || added.value.isError) return added
      return runGit(host, {
        args: ['commit', '--no-verify', '--quiet', '--file=-', ...(isAll ? [] : what)],
        input: message,
        needsFilters: true,
      })
    }),
})

export const gitCheckout = defineTool({
  name: 'git_checkout',
  description: 'Switches to a git branch, creates one, or restores files from a commit.',
  input: z
    .strictObject({ ref: Ref.optional(), create: z.boolean().optional(), paths: Paths.optional() })
    .refine(({ ref, paths }) => ref !== undefined || (paths?.length ?? 0) > 0, {
      message: 'give ref, paths or both',
    })
    .refine(({ ref, create, paths }) => create !== true || (ref !== undefined && !paths?.length), {
      message: 'create needs a ref and no paths',
    }),
  isMutating: true,
  run: ({ ref, create, paths = [] }, host) =>
    withPaths(host, paths, async (inside) => {
      const what = ref === undefined ? [] : [...(create === true ? ['-b'] : []), ref]
      if (create !== true) {
        const refs = ref === undefined ? [] : inside.length === 0 ? ['HEAD', ref] : [ref]
        const names = await namesBy(host, {
          args: ['diff', ...onlyNames, ...refs, '--', ...inside],
        })
        const refused = names.ok ? whyUnchangeable(host, names.value) : names.error
        if (refused !== undefined) return refused
      }
      return runGit(host, {
        args: ['checkout', '--quiet', ...what, '--', ...inside],
        needsFilters: true,
      })
    }),
})

export const gitApply = defineTool({
  name: 'git_apply',
  description: 'Applies a unified diff with git, to the files and optionally to the index.',
  input: z.strictObject({ patch: z.string().min(1), index: z.boolean().optional() }),
  isMutating: true,
  async run({ patch, index }, host) {
    const names = await namesBy(host, { args: ['apply', '--numstat', '-z', '-'], input: patch })
    const refused = names.ok ? whyUnchangeable(host, names.value) : names.error
    if (refused !== undefined) return refused
    const args = ['apply', '--whitespace=nowarn', ...(index === true ? ['--index'] : []), '-']
    return runGit(host, { args, input: patch, needsFilters: true }).then(quietly('Applied.'))
  },
})

/** Git compares any two files of the machine when one of them lies outside of its tree. */
async function withPaths(
  host: ToolHost,
  paths: readonly string[],
  use: (inside: readonly string[]) => Promise<ToolDone>,
): Promise<ToolDone> {
  const inside: string[] = []
  for (const path of paths) {
    const found = pathInside(host.workspace, path)
    if (!found.ok) return faultResult(found.error)
    inside.push(found.value === '' ? '.' : found.value)
  }
  return use(inside)
}

function quietly(text: string): (done: ToolDone) => ToolDone {
  return (done) =>
    done.ok && !done.value.isError && done.value.text === '(no output)' ? textResult(text) : done
}
