/**
 * A filter of system calls for a command without a network. A network namespace of its own takes
 * the network away, but a socket in the file system still leads to docker, systemd or an ssh
 * agent, and some families of sockets know no namespaces. So only sockets of the Internet families
 * (which lead nowhere there) and of netlink can be made. Pairs of sockets, by which a program talks
 * to its own children, stay, but for those of datagrams: such a one can be connected again.
 */

const allow = 0x7fff0000
/** With the number of an error in the lower half. */
const refuse = 0x00050000
const accessDenied = 13
const notImplemented = 38

/** Where the kernel tells the filter about a call; of an argument we look at the lower half. */
const at = { call: 0, architecture: 4, firstArgument: 16, secondArgument: 24 } as const

const families = { inet: 2, inet6: 10, netlink: 16 } as const
const types = { stream: 1, seqpacket: 5, mask: 0xf } as const
/** From here on numbers are of the x32 kind: other numbers for the same calls. */
const x32 = 0x40000000

interface Machine {
  readonly architecture: number
  readonly socket: number
  readonly socketpair: number
  /** It makes sockets as well, and the filter does not see how. */
  readonly ioUring: number
  /** The first of the three calls for keys of the kernel, whose numbers follow each other. */
  readonly keys: number
  /** Programs of 32 bits run here too, with numbers of their own. */
  readonly older: { readonly architecture: number; readonly keys: number }
}

const machines: Readonly<Record<string, Machine>> = {
  x64: {
    ...{ architecture: 0xc000003e, socket: 41, socketpair: 53, ioUring: 425, keys: 248 },
    older: { architecture: 0x40000003, keys: 286 },
  },
  arm64: {
    ...{ architecture: 0xc00000b7, socket: 198, socketpair: 199, ioUring: 425, keys: 217 },
    older: { architecture: 0x40000028, keys: 309 },
  },
}

/**
 * With a network only the keys of the kernel are out of reach: those of the session, which holds
 * keys of the person who started the client, are shared with everything that it starts.
 */
export function keyFilter(arch: string): Buffer | null {
  const machine = Object.hasOwn(machines, arch) ? machines[arch] : undefined
  if (machine === undefined) return null
  return assemble([
    ['load', at.architecture],
    ['if equal', machine.architecture, 'own'],
    ['unless equal', machine.older.architecture, 'allowed'],
    ['load', at.call],
    ...keyCalls(machine.older.keys),
    ['give', allow],
    ['label', 'own'],
    ['load', at.call],
    ['mask', ~x32],
    ...keyCalls(machine.keys),
    ['give', allow],
    ['label', 'unknown'],
    ['give', refuse | notImplemented],
    ['label', 'allowed'],
    ['give', allow],
  ])
}

/** `add_key`, `request_key`, `keyctl`. */
function keyCalls(first: number): Line[] {
  return [0, 1, 2].map((next) => ['if equal', first + next, 'unknown'])
}

/** The filter for this machine; null where its numbers are not known. */
export function socketFilter(arch: string): Buffer | null {
  const machine = Object.hasOwn(machines, arch) ? machines[arch] : undefined
  if (machine === undefined) return null
  return assemble([
    ['load', at.architecture],
    // A call of another machine's kind, such as a 32-bit one, has other numbers.
    ['unless equal', machine.architecture, 'unknown'],
    ['load', at.call],
    ['if at least', x32, 'unknown'],
    ['if equal', machine.ioUring, 'unknown'],
    ...keyCalls(machine.keys),
    ['if equal', machine.socketpair, 'pair'],
    ['unless equal', machine.socket, 'allowed'],
    ['load', at.firstArgument],
    ['if equal', families.inet, 'allowed'],
    ['if equal', families.inet6, 'allowed'],
    ['if equal', families.netlink, 'allowed'],
    ['give', refuse | accessDenied],
    ['label', 'pair'],
    ['load', at.secondArgument],
    ['mask', types.mask],
    ['if equal', types.stream, 'allowed'],
    ['if equal', types.seqpacket, 'allowed'],
    ['give', refuse | accessDenied],
    ['label', 'unknown'],
    ['give', refuse | notImplemented],
    ['label', 'allowed'],
    ['give', allow],
  ])
}

type Line =
  | readonly ['load' | 'mask' | 'give', number]
  | readonly ['if equal' | 'if at least' | 'unless equal', number, string]
  | readonly ['label', string]

/** The codes of classic BPF: load a word, and with a number, jump on equal or greater, return. */
const codes = {
  load: 0x20,
  mask: 0x54,
  give: 0x06,
  'if equal': 0x15,
  'unless equal': 0x15,
  'if at least': 0x35,
} as const

/** Eight bytes for each line: the code, how many lines to skip if so and if not, and a number. */
function assemble(lines: readonly Line[]): Buffer {
  const labels = new Map<string, number>()
  const steps: Exclude<Line, readonly ['label', string]>[] = []
  for (const line of lines) {
    if (line[0] === 'label') labels.set(line[1], steps.length)
    else steps.push(line)
  }
  const bytes = Buffer.alloc(steps.length * 8)
  for (const [index, [name, value, label]] of steps.entries()) {
    const skipped = label === undefined ? 0 : (labels.get(label) ?? 0) - index - 1
    bytes.writeUInt16LE(codes[name], index * 8)
    bytes.writeUInt8(name === 'unless equal' ? 0 : skipped, index * 8 + 2)
    bytes.writeUInt8(name === 'unless equal' ? skipped : 0, index * 8 + 3)
    bytes.writeUInt32LE(value >>> 0, index * 8 + 4)
  }
  return bytes
}

/** As `printf` of a shell writes it. */
export function asEscapes(filter: Buffer): string {
  return [...filter].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')
}
