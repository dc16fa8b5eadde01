import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

// Sessions in the shapes that the real clients write, in words of our own: test/clients holds these
// shapes against what the clients wrote in the very same run.

export const start = Date.parse('2026-03-01T10:00:00.000Z')
const time = (seconds: number) => new Date(start + seconds * 1000).toISOString()
const cwd = '/srv/shop'

export function write(path: string, text: string | Buffer): string {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  return path
}

export const lines = (...values: readonly object[]) =>
  values.map((value) => `${JSON.stringify(value)}\n`).join('')

export const claude = {
  prompt: (seconds: number, content: string) => ({
    ...{ type: 'user', timestamp: time(seconds), cwd, isSidechain: false, sessionId: 's1' },
    message: { role: 'user', content },
  }),
  call: (seconds: number, id: string, name: string, input: object) => ({
    ...{ type: 'assistant', timestamp: time(seconds), cwd, isSidechain: false, sessionId: 's1' },
    message: { role: 'assistant', content: [{ type: 'tool_use', id, name, input }] },
  }),
  result: (
    seconds: number,
    id: string,
    { content = 'ok', isError = false, response }: ClaudeEnd = {},
  ) => ({
    ...{ type: 'user', timestamp: time(seconds), cwd, isSidechain: false, sessionId: 's1' },
    message: {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: id, content, is_error: isError }],
    },
    ...(response === undefined ? {} : { toolUseResult: response }),
  }),
}

interface ClaudeEnd {
  readonly content?: string | readonly object[]
  readonly isError?: boolean
  readonly response?: object
}

/** Find a bug, fix it, test it, and commit before and after the test. */
export function claudeSession(home: string): string {
  const { prompt, call, result } = claude
  const file = `${cwd}/src/a.ts`
  const edit = { file_path: file, old_string: 'one', new_string: 'two' }
  return write(
    join(home, '.claude/projects/-srv-shop/s1.jsonl'),
    lines(
      { type: 'queue-operation', operation: 'enqueue', timestamp: time(0), content: 'Fix it.' },
      prompt(1, 'Fix it.'),
      call(2, 't1', 'Read', { file_path: file }),
      result(3, 't1'),
      call(4, 't2', 'Bash', { command: 'npm test' }),
      result(5, 't2', { content: 'Exit code 1\nred', isError: true }),
      call(6, 't3', 'Edit', edit),
      result(7, 't3', { response: { filePath: file, originalFile: 'one\n', newString: 'two' } }),
      call(8, 't4', 'Bash', { command: 'git commit -am "Too early"' }),
      result(9, 't4'),
      call(10, 't5', 'Bash', { command: 'npm test' }),
      result(11, 't5', { content: 'green', response: { stdout: 'green', interrupted: false } }),
      call(12, 't6', 'Bash', { command: 'git commit -am Fix' }),
      result(13, 't6'),
      { type: 'last-prompt', lastPrompt: 'Fix it.', sessionId: 's1' },
    ),
  )
}

const codexId = '01a1e4f9-5249-72b2-81a6-fc0122ad3233'

export function codexSession(home: string, more = ''): string {
  const item = (seconds: number, type: string, payload: object) => ({
    ...{ timestamp: time(seconds), ordinal: seconds, type },
    payload,
  })
  const run = (seconds: number, id: string, cmd: string) =>
    item(seconds, 'response_item', {
      ...{ type: 'function_call', name: 'exec_command', call_id: id },
      arguments: JSON.stringify({ cmd }),
    })
  const done = (seconds: number, itemFields: object) =>
    item(seconds, 'event_msg', { type: 'item_completed', item: itemFields })
  const output = (seconds: number, id: string, text: string) =>
    item(seconds, 'response_item', { type: 'function_call_output', call_id: id, output: text })
  const patch = '*** Begin Patch\n*** Add File: src/b.ts\n+new\n*** End Patch\n'
  return write(
    join(home, '.codex/sessions/2026/03/01', `rollout-2026-03-01T10-00-00-${codexId}.jsonl`),
    `${lines(
      item(0, 'session_meta', { id: 'x', cwd, base_instructions: { text: 'be good' } }),
      item(1, 'turn_context', { cwd }),
      done(2, { type: 'UserMessage', id: 'm', content: [{ type: 'text', text: 'Go.' }] }),
      item(3, 'response_item', {
        ...{ type: 'custom_tool_call', name: 'apply_patch', call_id: 'c1', input: patch },
      }),
      done(4, { type: 'FileChange', id: 'c1', status: 'completed', changes: {} }),
      item(5, 'response_item', {
        ...{ type: 'custom_tool_call_output', call_id: 'c1', output: 'Exit code: 0\nOutput:\nok' },
      }),
      run(6, 'c2', 'npm test'),
      done(7, { type: 'CommandExecution', id: 'c2', exit_code: 1, aggregated_output: 'red' }),
      output(8, 'c2', 'Wall time: 1 seconds\nProcess exited with code 1\nOutput:\nred'),
      run(9, 'c3', 'npm run watch'),
      output(10, 'c3', 'Wall time: 1 seconds\nProcess running with session ID 7\nOutput:\n'),
      item(11, 'response_item', {
        ...{ type: 'function_call', name: 'write_stdin', call_id: 'c4' },
        arguments: '{"session_id":7,"chars":""}',
      }),
      done(12, { type: 'CommandExecution', id: 'c3', exit_code: 0, aggregated_output: 'done' }),
      run(13, 'c5', 'echo "Process exited with code 0"'),
      output(14, 'c5', 'Wall time: 1 seconds\nOutput:\nProcess exited with code 0'),
      item(15, 'response_item', {
        ...{ type: 'function_call', name: 'draw', namespace: 'mcp__paint', call_id: 'c6' },
        arguments: '{"what":"cat"}',
      }),
      done(16, { type: 'McpToolCall', id: 'c6', server: 'paint', status: 'completed' }),
    )}${more}`,
  )
}

export function geminiSession(home: string): string {
  const message = (seconds: number, fields: object) => ({
    ...{ id: `m${seconds}`, timestamp: time(seconds) },
    ...fields,
  })
  const call = (seconds: number, id: string, name: string, args: object, response: object) => ({
    ...{ id, name, args, status: 'success', timestamp: time(seconds) },
    result: [{ functionResponse: { id, name, response } }],
  })
  const wrapped = (text: string) => `<untrusted_context>\n${text}\n</untrusted_context>`
  const shell = (id: string, command: string, text: string) =>
    call(4, id, 'run_shell_command', { command }, { output: wrapped(text) })
  const paint = {
    ...call(6, 'g4', 'mcp_paint_draw', { what: 'cat' }, { output: 'ok' }),
    displayName: 'draw (paint MCP Server)',
  }
  const created = {
    ...call(8, 'g5', 'write_file', { file_path: `${cwd}/n.ts`, content: 'x' }, { output: 'ok' }),
    resultDisplay: { filePath: `${cwd}/n.ts`, originalContent: '', isNewFile: true },
  }
  const failed = {
    ...call(9, 'g6', 'read_file', { file_path: 'x' }, { error: 'not there' }),
    status: 'error',
  }
  const folder = join(home, '.gemini/tmp/shop')
  write(join(folder, '.project_root'), cwd)
  const first = {
    type: 'gemini',
    toolCalls: [shell('g1', 'npm test', 'Output: red\nExit Code: 1')],
  }
  const side = [
    shell('g2', 'echo hi', 'Output: hi'),
    shell('g3', 'sleep 9', 'Command was cancelled'),
  ]
  return write(
    join(folder, 'chats/session-2026-03-01T10-00-9b1e2e45.jsonl'),
    lines(
      { sessionId: 'g', startTime: time(0), kind: 'main' },
      {
        $set: {
          messages: [message(0, { type: 'user', content: [{ text: '<session_context>' }] })],
        },
      },
      message(1, { type: 'user', content: [{ text: 'Go.' }] }),
      message(3, { type: 'gemini', content: '' }),
      message(3, first),
      message(3, first),
      message(4, { type: 'gemini', toolCalls: side }),
      message(6, { type: 'gemini', toolCalls: [paint] }),
      message(8, { type: 'gemini', toolCalls: [created] }),
      message(9, { type: 'gemini', toolCalls: [failed] }),
    ),
  )
}

export function opencodeSession(home: string): string {
  const path = join(home, '.local/share/opencode/opencode.db')
  mkdirSync(dirname(path), { recursive: true })
  const database = new DatabaseSync(path)
  database.exec(`
    create table session (id text primary key, parent_id text, directory text,
      time_created integer, time_updated integer);
    create table message (id text primary key, session_id text, data text);
    create table part (id text primary key, message_id text, session_id text,
      time_created integer, data text);
    create table credential (id text primary key, value text);
    insert into session values ('ses1', null, '/srv/shop', ${start}, ${start + 9000});
    insert into session values ('ses2', 'ses1', '/srv/shop', ${start}, ${start + 9000});
    insert into message values ('m1', 'ses1', '{"role":"user"}');
    insert into message values ('m2', 'ses1', '{"role":"assistant"}');
    insert into message values ('m3', 'ses2', '{"role":"assistant"}');
  `)
  const part = database.prepare('insert into part values (?, ?, ?, ?, ?)')
  const add = (id: string, message: string, session: string, data: object | string) =>
    part.run(id, message, session, start, typeof data === 'string' ? data : JSON.stringify(data))
  const bash = (callID: string, seconds: number, command: string, exit: number | undefined) => ({
    ...{ type: 'tool', tool: 'bash', callID },
    state: {
      ...{ status: 'completed', input: { command }, output: 'out' },
      metadata: exit === undefined ? {} : { exit },
      time: { start: start + seconds * 1000, end: start + seconds * 1000 + 500 },
    },
  })
  add('p1', 'm1', 'ses1', { type: 'text', text: 'Go.' })
  add('p2', 'm2', 'ses1', { type: 'step-start' })
  add('p3', 'm2', 'ses1', bash('o1', 1, 'npm test', 1))
  add('p4', 'm2', 'ses1', bash('o2', 1, 'npm run slow', undefined))
  add('p5', 'm2', 'ses1', 'not json')
  add('p6', 'm2', 'ses1', {
    ...{ type: 'tool', tool: 'read', callID: 'o3' },
    state: {
      status: 'error',
      input: { filePath: 'x' },
      error: 'not there',
      time: { start: start + 2000 },
    },
  })
  add('p7', 'm2', 'ses1', {
    type: 'tool',
    tool: 'edit',
    callID: 'o4',
    state: { status: 'running' },
  })
  add('p8', 'm3', 'ses2', bash('o5', 3, 'echo sub', 0))
  database.close()
  return path
}
