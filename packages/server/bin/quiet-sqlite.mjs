// Node 22 calls its SQLite experimental at every start. We know, and people who run a command
// should not have to; every other warning is shown as before.
const [show] = process.listeners('warning')
process.removeAllListeners('warning')
process.on('warning', (warning) => {
  if (warning.name === 'ExperimentalWarning' && warning.message.startsWith('SQLite')) return
  show?.call(process, warning)
})
