/**
 * Node opens a debugger to whoever sends this signal, and a debugger runs any code in here: with a
 * listener of our own it does not.
 */
export function refuseDebugger(): void {
  process.on('SIGUSR1', () => {})
}
