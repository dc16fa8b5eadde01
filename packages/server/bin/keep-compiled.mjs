// Half of the time that a command takes is spent on compiling what it loads; that is kept. It lies
// in our own state folder, which guarded calls may not touch: whoever could write there would
// decide what our next start runs.
import { mkdirSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'

const { XDG_STATE_HOME: stateHome = '', HOME } = process.env
const states = isAbsolute(stateHome) ? stateHome : join(HOME || homedir(), '.local', 'state')
const folder = join(states, 'statewright', 'compiled')
try {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  enableCompileCache(folder)
} catch {
  // Without it everything works, only later.
}
