import { newRun, startRuntime } from './runtime-kit.ts'

/** Starts many runs and says how much memory the process holds then. */
const [folder = '', count = '0'] = process.argv.slice(2)
const { runtime, close } = await startRuntime(folder, 'crash')
for (let index = 0; index < Number(count); index++) await newRun(runtime)
globalThis.gc?.()
process.stdout.write(
  `${JSON.stringify({ rss: process.memoryUsage.rss(), live: runtime.live.size })}\n`,
)
await close()
