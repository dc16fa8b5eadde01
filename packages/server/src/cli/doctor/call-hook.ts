import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { err, ok, type Result, unreachable } from '@statewright/core/internal'
import type { HookTarget } from '../../client-settings/installed-hook.ts'

/** Longer than the deadline of the hook command, so that its own words are heard. */
const withinMs = 20_000
const probe = fileURLToPath(new URL('../../../plugin/opencode/probe.mjs', import.meta.url))

/** Sends one hook the way the client would, and gives back what the client would read. */
export async function callHook(target: HookTarget, body: object): Promise<Result<unknown, string>> {
  const text = await textOf(target, JSON.stringify(body))
  if (!text.ok) return text
  try {
    return ok(JSON.parse(text.value))
  } catch {
    return err('its answer is not JSON')
  }
}

function textOf(target: HookTarget, body: string): Promise<Result<string, string>> {
  switch (target.kind) {
    case 'command': {
      const [program = '', ...args] = target.words
      return run(program, args, body)
    }
    case 'shell':
      return run('/bin/sh', ['-c', target.line], body)
    case 'plugin':
      return run(process.execPath, [probe, target.file], body)
    default:
      return unreachable(target)
  }
}

/** Nothing of our environment but what a client has at least: the hook must not need more. */
function run(
  program: string,
  args: readonly string[],
  body: string,
): Promise<Result<string, string>> {
  const { PATH = '/usr/bin:/bin', HOME = '/' } = process.env
  return new Promise((resolve) => {
    const child = spawn(program, [...args], { env: { PATH, HOME }, timeout: withinMs })
    let stdout = ''
    let stderr = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text
    })
    child.stdin.on('error', () => {}).end(body)
    child.once('error', (fault) => resolve(err(wordsOf(fault))))
    child.once('close', (code) => {
      if (code === 0) resolve(ok(stdout))
      else resolve(err(`it ended with ${code ?? 'a signal'}: ${lastWords(stderr).slice(0, 300)}`))
    })
  })
}

/** Of a program that crashed, the line that names the error, and not where in Node it happened. */
function lastWords(stderr: string): string {
  return stderr.split('\n').find((line) => /^\w*Error\b.*: /.test(line)) ?? stderr.trim()
}

function wordsOf(fault: unknown): string {
  if (!(fault instanceof Error)) return String(fault)
  return fault.cause instanceof Error ? fault.cause.message : fault.message
}
