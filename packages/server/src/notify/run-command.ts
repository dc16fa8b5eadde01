import { spawn } from 'node:child_process'
import type { Notice } from './notice.ts'

/** What a program for notices needs of our environment; keys and tokens stay with us. */
const passed = [
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'LANG',
  'LC_ALL',
  'LC_CTYPE',
  'TMPDIR',
  'TZ',
  'DISPLAY',
  'WAYLAND_DISPLAY',
  'XAUTHORITY',
  'XDG_RUNTIME_DIR',
  'DBUS_SESSION_BUS_ADDRESS',
  'SystemRoot',
] as const

/**
 * Starts the command with the sentence as its last argument and the notice as JSON on its standard
 * input. No shell reads either. Resolves when it ended well; everything else throws.
 */
export function runCommand(
  [program = '', ...args]: readonly string[],
  notice: Notice,
  {
    environment,
    signal,
    folder,
  }: {
    readonly environment: Readonly<Record<string, string | undefined>>
    readonly signal: AbortSignal
    readonly folder?: string | undefined
  },
): Promise<void> {
  return new Promise((resolve, reject) => {
    const env: Record<string, string> = {}
    for (const name of passed) {
      const value = environment[name]
      if (value !== undefined) env[name] = value
    }
    // A group of its own, so that what it starts ends with it.
    const child = spawn(program, [...args, notice.text], {
      env,
      cwd: folder,
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
    })
    const end = () => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
      } catch {
        // It was gone already.
      }
    }
    signal.addEventListener('abort', end, { once: true })
    if (signal.aborted) end()
    child.once('error', (fault) => {
      signal.removeEventListener('abort', end)
      reject(fault)
    })
    child.once('exit', (code) => {
      signal.removeEventListener('abort', end)
      if (code === 0) resolve()
      else reject(new Error(signal.aborted ? 'the command took too long' : `it ended with ${code}`))
    })
    // It need not read what it is told.
    child.stdin.on('error', () => {})
    child.stdin.end(JSON.stringify(notice))
  })
}
