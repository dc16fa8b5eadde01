import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { z } from 'zod'

/** A call that a scripted agent was told to make, under the names that Claude Code has for it. */
export const Call = z.object({ tool: z.string(), input: z.record(z.string(), z.unknown()) })
export type Call = z.infer<typeof Call>

/** What its model would have read in the end. */
export interface Read {
  readonly isDenied: boolean
  readonly text: string
}

/** Scripted agents are told what to do in the last line of a prompt, as JSON. */
export function callIn(prompt: string): Call | undefined {
  const line = prompt.trimEnd().split('\n').at(-1) ?? ''
  return line.startsWith('{') ? Call.parse(JSON.parse(line)) : undefined
}

const Bash = z.object({ command: z.string() })
const Write = z.object({ file_path: z.string(), content: z.string() })

/** Makes a call for real: in our own environment, held by nobody. */
export async function makeCall({ tool, input }: Call): Promise<{ output: string; exit: number }> {
  if (tool !== 'Write') return runShell(Bash.parse(input).command)
  const { file_path, content } = Write.parse(input)
  const path = resolve(file_path)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
  return { output: `wrote ${file_path}`, exit: 0 }
}

function runShell(command: string): Promise<{ output: string; exit: number }> {
  const child = spawn('/bin/bash', ['--norc', '-c', command], { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  const take = (text: string) => {
    output += text
  }
  child.stdout.setEncoding('utf8').on('data', take)
  child.stderr.setEncoding('utf8').on('data', take)
  return new Promise((done) => child.once('close', (code) => done({ output, exit: code ?? 1 })))
}
