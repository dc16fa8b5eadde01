/**
 * A filter of system calls by which a command cannot open a Unix socket: a network namespace hides
 * the network, but a socket in the file system still leads to docker, systemd or an ssh agent.
 * Pairs of sockets, by which a program talks to its own children, stay.
 */

const load = 0x20
const jumpIfEqual = 0x15
const jumpIfAtLeast = 0x35
const give = 0x06
const allow = 0x7fff0000
const refuse = 0x00050000 // With the number of an error in the lower half.
const accessDenied = 13
const notImplemented = 38
const unixFamily = 1

/** Where the kernel tells the filter about a call. */
const offsets = { call: 0, architecture: 4, firstArgument: 16 }

interface Machine {
  readonly architecture: number
  readonly socket: number
  /** It opens sockets as well, and the filter does not see how. */
  readonly ring: number
}

const machines: Readonly<Record<string, Machine>> = {
  x64: { architecture: 0xc000003e, socket: 41, ring: 425 },
  arm64: { architecture: 0xc00000b7, socket: 198, ring: 425 },
}

/** The filter for this machine; null where its numbers are not known. */
export function socketFilter(arch: string): Buffer | null {
  const machine = machines[arch]
  if (machine === undefined) return null
  return Buffer.concat([
    step(load, 0, 0, offsets.architecture),
    // A call of another machine's kind, such as a 32-bit one, has other numbers.
    step(jumpIfEqual, 1, 0, machine.architecture),
    step(give, 0, 0, refuse | notImplemented),
    step(load, 0, 0, offsets.call),
    // Numbers of the x32 kind mean the same calls.
    step(jumpIfAtLeast, 4, 0, 0x40000000),
    step(jumpIfEqual, 3, 0, machine.ring),
    step(jumpIfEqual, 0, 3, machine.socket),
    step(load, 0, 0, offsets.firstArgument),
    step(jumpIfEqual, 2, 1, unixFamily),
    step(give, 0, 0, refuse | notImplemented),
    step(give, 0, 0, allow),
    step(give, 0, 0, refuse | accessDenied),
  ])
}

function step(code: number, ifTrue: number, ifFalse: number, value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeUInt16LE(code, 0)
  bytes.writeUInt8(ifTrue, 2)
  bytes.writeUInt8(ifFalse, 3)
  bytes.writeUInt32LE(value >>> 0, 4)
  return bytes
}

/** As `printf` of a shell writes it. */
export function asEscapes(filter: Buffer): string {
  return [...filter].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')
}
