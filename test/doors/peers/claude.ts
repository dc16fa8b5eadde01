// A program that the server takes for `claude`: it speaks stream-json, runs the hooks of its
// settings for real and obeys them, and really makes the calls that they leave it. Only its model
// is missing: what to call stands in the prompt, and what the model would read is said as text.
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { ClaudeHooks } from './claude-hooks.ts'
import { type Call, callIn, makeCall, type Read } from './make-call.ts'

const { values } = parseArgs({
  args: process.argv.slice(2),
  allowPositionals: true,
  options: {
    print: { type: 'boolean', short: 'p' },
    verbose: { type: 'boolean' },
    'include-partial-messages': { type: 'boolean' },
    'strict-mcp-config': { type: 'boolean' },
    'input-format': { type: 'string' },
    'output-format': { type: 'string' },
    'setting-sources': { type: 'string' },
    settings: { type: 'string' },
    'mcp-config': { type: 'string' },
    'permission-mode': { type: 'string' },
    allowedTools: { type: 'string' },
    model: { type: 'string' },
    resume: { type: 'string' },
    'session-id': { type: 'string' },
  },
})
const session = values['session-id'] ?? values.resume ?? ''
const hooks = new ClaudeHooks(values.settings ?? '/dev/null')
const head = {
  session_id: session,
  transcript_path: '/dev/null',
  cwd: process.cwd(),
  permission_mode: values['permission-mode'] ?? 'default',
}
let calls = 0

say({ type: 'system', subtype: 'init', session_id: session, cwd: head.cwd })
for await (const line of createInterface({ input: process.stdin })) {
  const output = JSON.parse(line)
  if (output.type === 'control_request') {
    const response = { subtype: 'success', request_id: output.request_id, response: {} }
    say({ type: 'control_response', response })
  } else await turn(output.message.content[0].text)
}

async function turn(prompt: string): Promise<void> {
  const { context } = await hooks.run('UserPromptSubmit', { ...head, prompt })
  const call = callIn(prompt)
  const read = call === undefined ? { prompt: [prompt, ...context].join('\n') } : await make(call)
  speak(JSON.stringify(read))
  await hooks.run('Stop', head)
  const usage = { input_tokens: 1, output_tokens: 1 }
  const end = { is_error: false, stop_reason: 'end_turn', total_cost_usd: 0, usage }
  say({ type: 'result', subtype: 'success', session_id: session, result: '', ...end })
}

async function make({ tool, input }: Call): Promise<Read> {
  calls += 1
  const id = `toolu_${session}_${calls}`
  say({ type: 'assistant', message: { content: [{ type: 'tool_use', id, name: tool, input }] } })
  const request = { ...head, tool_name: tool, tool_input: input, tool_use_id: id }
  const before = await hooks.run('PreToolUse', request)
  if (before.denied !== undefined) {
    return end(id, { isDenied: true, text: `PreToolUse:${tool} hook error: ${before.denied}` })
  }
  const made = { ...request, tool_input: before.input ?? input }
  const { output, exit } = await makeCall({ tool, input: made.tool_input })
  const after =
    exit === 0
      ? await hooks.run('PostToolUse', {
          ...made,
          tool_response: { stdout: output, stderr: '', interrupted: false },
        })
      : await hooks.run('PostToolUseFailure', { ...made, error: output })
  const batch = [{ ...made, tool_response: output }]
  const { context } = await hooks.run('PostToolBatch', { ...head, tool_calls: batch })
  const text = [output, ...before.context, ...after.context, ...context].join('\n')
  return end(id, { isDenied: false, text }, exit !== 0)
}

function end(id: string, read: Read, isError = read.isDenied): Read {
  const result = { type: 'tool_result', tool_use_id: id, content: read.text, is_error: isError }
  say({ type: 'user', message: { content: [result] } })
  return read
}

function speak(text: string): void {
  const delta = { type: 'text_delta', text }
  say({ type: 'stream_event', event: { type: 'content_block_delta', index: 0, delta } })
  say({ type: 'assistant', message: { content: [{ type: 'text', text }] } })
}

function say(message: object): void {
  process.stdout.write(`${JSON.stringify(message)}\n`)
}
