import { readFileSync } from 'node:fs'
import { isIPv4 } from 'node:net'

/** Both ends of a connection, as our end's socket tells them. */
export interface Ends {
  readonly remoteAddress?: string | undefined
  readonly remotePort?: number | undefined
  readonly localAddress?: string | undefined
  readonly localPort?: number | undefined
}

/**
 * The number of the socket at the other end of a connection on this machine, from the kernel's
 * tables: what is remote to us is local there. Addresses are compared as well as ports, since
 * 127.0.0.2 has ports of its own. Reading a table takes the kernel milliseconds, whatever stands
 * in it, so that the second one is read only where the first has no answer.
 */
export function peerInode(ends: Ends): string | undefined {
  const { remoteAddress, remotePort, localAddress, localPort } = ends
  if (remoteAddress === undefined || localAddress === undefined) return undefined
  if (remotePort === undefined || localPort === undefined) return undefined
  const [peer, own] = [plainAddress(remoteAddress), plainAddress(localAddress)]
  for (const { file, spell } of isIPv4(peer) ? [four, mapped] : [six]) {
    const pair = ` ${spell(peer)}:${portText(remotePort)} ${spell(own)}:${portText(localPort)} `
    const found = inodeAt(file, pair)
    if (found !== undefined) return found
  }
  return undefined
}

/** Without a zone, and IPv4 as such: a server that listens for both is told it as IPv6. */
function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=[\d.]+$)/i, '').replace(/%.*$/, '')
}

const four = { file: '/proc/net/tcp', spell: spellFour }
const six = { file: '/proc/net/tcp6', spell: spellSix }
const mapped = {
  file: '/proc/net/tcp6',
  spell: (address: string) => `0000000000000000${wordText([0, 0, 255, 255])}${spellFour(address)}`,
}

function inodeAt(file: string, pair: string): string | undefined {
  const table = read(file)
  const at = table.indexOf(pair)
  if (at < 0) return undefined
  // Behind the two addresses: state, queues, timer, retransmits, user, timeout, inode.
  const [, , , , , , inode] = table.slice(at + pair.length, table.indexOf('\n', at)).split(/ +/)
  // A connection that has ended belongs to no process any more.
  return inode === undefined || inode === '0' ? undefined : inode
}

function read(file: string): string {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return ''
  }
}

function portText(port: number): string {
  return port.toString(16).toUpperCase().padStart(4, '0')
}

function spellFour(address: string): string {
  return wordText(address.split('.').map(Number))
}

/** Eight groups, of which one `::` stands for those that are zero. */
function spellSix(address: string): string {
  const [head = '', tail] = address.split('::').map((part) => part.split(':').filter(Boolean))
  const groups =
    tail === undefined
      ? [...head]
      : [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail]
  const bytes = groups.flatMap((group) => {
    const value = Number.parseInt(group, 16)
    return [value >> 8, value & 0xff]
  })
  return [0, 4, 8, 12].map((at) => wordText(bytes.slice(at, at + 4))).join('')
}

/** Four bytes as the kernel prints them: one number of this machine's own byte order. */
function wordText(bytes: readonly number[]): string {
  const word = new Uint32Array(Uint8Array.from(bytes).buffer)[0] ?? 0
  return word.toString(16).toUpperCase().padStart(8, '0')
}
