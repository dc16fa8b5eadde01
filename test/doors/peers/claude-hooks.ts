import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { z } from 'zod'

const Entry = z.discriminatedUnion('type', [
  z.looseObject({
    type: z.literal('command'),
    command: z.string(),
    args: z.array(z.string()).optional(),
    onFailure: z.string().optional(),
  }),
  z.looseObject({
    type: z.literal('http'),
    url: z.string(),
    headers: z.record(z.string(), z.string()).optional(),
    onFailure: z.string().optional(),
  }),
])
type Entry = z.infer<typeof Entry>

const Settings = z.looseObject({
  hooks: z.record(z.string(), z.array(z.looseObject({ hooks: z.array(Entry) }))).default({}),
})

const Output = z.looseObject({
  hookSpecificOutput: z
    .looseObject({
      hookEventName: z.string(),
      permissionDecision: z.string().optional(),
      permissionDecisionReason: z.string().optional(),
      updatedInput: z.record(z.string(), z.unknown()).optional(),
      additionalContext: z.string().optional(),
    })
    .optional(),
})

/** What all hooks of an event said together. */
export interface HookOutput {
  readonly denied?: string
  readonly input?: Record<string, unknown>
  readonly context: readonly string[]
}

/** Runs the hooks that a settings file names, as Claude Code 2.1 does. */
export class ClaudeHooks {
  readonly #hooks: z.infer<typeof Settings>['hooks']

  constructor(settingsFile: string) {
    this.#hooks = Settings.parse(JSON.parse(readFileSync(settingsFile, 'utf8'))).hooks
  }

  async run(event: string, body: object): Promise<HookOutput> {
    const entries = (this.#hooks[event] ?? []).flatMap(({ hooks }) => hooks)
    const text = JSON.stringify({ ...body, hook_event_name: event })
    const all = await Promise.all(entries.map((entry) => runEntry(entry, event, text)))
    const denied = all.find((output) => output.denied !== undefined)?.denied
    const input = all.find((output) => output.input !== undefined)?.input
    return {
      ...(denied === undefined ? {} : { denied }),
      ...(input === undefined ? {} : { input }),
      context: all.flatMap(({ context }) => context),
    }
  }
}

async function runEntry(entry: Entry, event: string, body: string): Promise<HookOutput> {
  try {
    return entry.type === 'http' ? await post(entry, event, body) : await start(entry, event, body)
  } catch (fault) {
    return failed(entry, fault instanceof Error ? fault.message : String(fault))
  }
}

/** Without `onFailure: block` the client goes on as if there were no hook. */
function failed({ onFailure }: Entry, why: string): HookOutput {
  return onFailure === 'block' ? { denied: `A hook failed: ${why}`, context: [] } : { context: [] }
}

async function post(
  entry: Extract<Entry, { type: 'http' }>,
  event: string,
  body: string,
): Promise<HookOutput> {
  const headers = { 'content-type': 'application/json', ...entry.headers }
  const answer = await fetch(entry.url, { method: 'POST', headers, body })
  if (!answer.ok) return failed(entry, `status ${answer.status}`)
  return read(event, await answer.text())
}

async function start(
  entry: Extract<Entry, { type: 'command' }>,
  event: string,
  body: string,
): Promise<HookOutput> {
  const { command, args } = entry
  // With arguments of its own there is no shell between.
  const child =
    args === undefined ? spawn('/bin/sh', ['-c', command], {}) : spawn(command, args, {})
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  child.stdin.on('error', () => {}).end(body)
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  if (code === 0) return read(event, stdout)
  if (code === 2) return { denied: stderr, context: [] }
  return failed(entry, `code ${code}`)
}

/** An answer under another event's name counts for nothing, as with the real client. */
function read(event: string, text: string): HookOutput {
  const parsed = Output.safeParse(text.trim() === '' ? {} : JSON.parse(text))
  const out = parsed.success ? parsed.data.hookSpecificOutput : undefined
  if (out === undefined || out.hookEventName !== event) return { context: [] }
  const { permissionDecision, permissionDecisionReason: why, updatedInput, additionalContext } = out
  return {
    ...(permissionDecision === 'deny' ? { denied: why ?? 'denied' } : {}),
    ...(updatedInput === undefined ? {} : { input: updatedInput }),
    context: additionalContext === undefined ? [] : [additionalContext],
  }
}
