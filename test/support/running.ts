import { readdirSync, readFileSync } from 'node:fs'

/** Processes whose command line begins so; those that only wait to be collected have none. */
export function running(name: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    const line = readProc(pid, 'cmdline')
    return line !== '' && line.startsWith(name)
  })
}

/** The home that a process was started with. */
export function homeOf(pid: string): string | undefined {
  const line = readProc(pid, 'environ')
    .split('\0')
    .find((one) => one.startsWith('HOME='))
  return line?.slice('HOME='.length)
}

function readProc(pid: string, what: string): string {
  if (!/^\d+$/.test(pid)) return ''
  try {
    return readFileSync(`/proc/${pid}/${what}`, 'utf8')
  } catch {
    return ''
  }
}
