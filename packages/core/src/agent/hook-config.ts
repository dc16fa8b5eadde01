import { z } from 'zod'
import type { ToolRunRecord } from './records.ts'

const HookFailurePolicy = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('fail_session') }),
  z.strictObject({ type: z.literal('warn_continue') }),
  z.strictObject({
    type: z.literal('retry'),
    max_attempts: z.int().min(1).max(20),
    delay_ms: z.int().min(0).max(3_600_000),
  }),
])

const HookToolFilter = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('any_mutating') }),
  z.strictObject({ type: z.literal('tool_names'), names: z.array(z.string().min(1)).min(1) }),
])

/** One post-tool hook, as `hooks.json` writes it (SE-15). */
export const HookConfig = z.strictObject({
  name: z.string().min(1).max(200),
  command: z.array(z.string().min(1)).min(1),
  timeout_ms: z.int().min(1).max(86_400_000).default(120_000),
  failure_policy: HookFailurePolicy.default({ type: 'fail_session' }),
  tool_filter: HookToolFilter.default({ type: 'any_mutating' }),
  env_allow: z.array(z.string().min(1)).optional(),
})
export type HookConfig = z.infer<typeof HookConfig>

/** The whole file. Names are how runs refer to their hook, so one must not appear twice. */
export const HooksFile = z
  .strictObject({ $schema: z.string().optional(), hooks: z.array(HookConfig).max(32) })
  .refine(({ hooks }) => new Set(hooks.map(({ name }) => name)).size === hooks.length, {
    message: 'Two hooks have the same name.',
    path: ['hooks'],
  })
export type HooksFile = z.infer<typeof HooksFile>

/** Whether a hook is wanted after a batch: only where a call of it has changed something. */
export function wantsHook(
  hook: HookConfig,
  batch: readonly Pick<ToolRunRecord, 'toolName' | 'mutating' | 'status'>[],
): boolean {
  const runs = batch.filter(({ status }) => status === 'succeeded')
  // The batch, not the history, decides: reading after an edit must not start the hooks again.
  if (!runs.some(({ mutating }) => mutating)) return false
  const { tool_filter: filter } = hook
  if (filter.type === 'any_mutating') return true
  return runs.some(({ toolName }) => filter.names.includes(toolName))
}
