import { err, ok, type Result, readDefinitionText } from '@statewright/core/internal'
import { z } from 'zod'

/** One thing that a scripted model does, in the order written. */
export const ScriptPart = z.union([
  z.strictObject({ text: z.string() }),
  z.strictObject({ thinking: z.string() }),
  z.strictObject({
    tool: z.string().min(1),
    arguments: z.json().default({}),
    call_id: z.string().min(1).optional(),
  }),
  z.strictObject({ delay_ms: z.int().min(0).max(600_000) }),
  z.strictObject({ status: z.string() }),
  z.strictObject({
    usage: z.strictObject({
      input_tokens: z.int().min(0).optional(),
      output_tokens: z.int().min(0).optional(),
      cost_usd: z.number().min(0).optional(),
      model: z.string().optional(),
    }),
  }),
  z.strictObject({
    error: z.strictObject({
      code: z.string().min(1),
      message: z.string(),
      retryable: z.boolean().optional(),
    }),
  }),
  z.strictObject({ exit: z.int().min(0).max(255) }),
])
export type ScriptPart = z.infer<typeof ScriptPart>

const Parts = z.array(ScriptPart).max(10_000)

/** What `scripted` plays: one list for each request, or one for each attempt of a request. */
export const Script = z.strictObject({
  turns: z
    .array(z.union([Parts, z.strictObject({ attempts: z.array(Parts).min(1).max(20) })]))
    .max(10_000),
})
export type Script = z.infer<typeof Script>

/** Reads a script written in JSON or YAML. */
export function readScript(text: string): Result<Script, string> {
  const source = readDefinitionText(text)
  const [finding] = source.findings
  if (finding !== undefined) return err(`The script cannot be read: ${finding.message}`)
  return checkScript(source.value)
}

export function checkScript(value: unknown): Result<Script, string> {
  const parsed = Script.safeParse(value)
  if (parsed.success) return ok(parsed.data)
  return err(`The script is not valid: ${z.prettifyError(parsed.error).slice(0, 1000)}`)
}

/** What is said to a request. Attempts beyond those written are answered as the last one. */
export function partsFor(
  script: Script,
  position: { readonly turn: number; readonly attempt: number },
): readonly ScriptPart[] {
  const turn = script.turns[position.turn]
  if (turn === undefined) return [{ text: 'The script has ended.' }]
  if (Array.isArray(turn)) return turn
  return turn.attempts[position.attempt - 1] ?? turn.attempts.at(-1) ?? []
}
