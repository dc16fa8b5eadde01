import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'

/** Says the address of its debugger when it hears of the second signal. */
const child = `
import { refuseDebugger } from ${JSON.stringify(new URL('no-debugger.ts', import.meta.url).href)}
import inspector from 'node:inspector'
refuseDebugger()
process.on('SIGUSR2', () => console.log(inspector.url() ?? 'none'))
setInterval(() => {}, 1000)
console.log('ready')
`

test('SH-17: the signal that opens a debugger in other programs opens none in ours', async () => {
  const running = spawn(process.execPath, ['--input-type=module', '-e', child])
  try {
    expect(await lineOf(running.stdout)).toBe('ready')
    running.kill('SIGUSR1')
    running.kill('SIGUSR2')
    expect(await lineOf(running.stdout)).toBe('none')
  } finally {
    running.kill('SIGKILL')
  }
})

async function lineOf(stream: NodeJS.ReadableStream): Promise<string> {
  const [chunk] = await once(stream, 'data')
  return String(chunk).trim()
}
