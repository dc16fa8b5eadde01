// Which server judges a call, and with which key: the one of the project in which it happens. The
// settings of most coding clients hold for every folder of their user, so that whoever is asked
// through them must look first whose folder it is. The hook command, the MCP server and the plugin
// of opencode load this for every call: it needs nothing but Node's own files and paths.
//
// And how the key proves who speaks, in one round trip and without a secret on the way: whoever has
// the port while the server is away learns nothing, and has nothing to say (SH-20). The other side
// is `src/http/auth/hook-signature.ts`. Both are one file, since each file costs a hook half a
// millisecond.
const {
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  realpathSync,
  utimesSync,
  writeFileSync,
} = require('node:fs')
const { basename, dirname, isAbsolute, join, sep } = require('node:path')

/**
 * The key for a call in one of some folders; undefined where nobody guards them. A session stays
 * with the project in which it was first seen: else an agent would leave its run by changing the
 * folder. `call` tells `{ client, session, folders }`, and is only asked where it matters.
 */
function chooseKey(file, call) {
  const keys = readKeys(file)
  const everywhere = keys.find(({ project }) => project === undefined)
  if (keys.length === 1 && everywhere !== undefined) return usable(everywhere, file)
  const { client, session, folders } = call()
  const mark = session === undefined ? undefined : markOf(file, client, session)
  const held = mark === undefined ? undefined : readMark(mark)
  const key =
    held === undefined
      ? (nearest(keys, folders) ?? everywhere)
      : (keys.find(({ project = '' }) => project === held) ?? everywhere)
  if (key === undefined && held !== undefined) {
    throw new Error(
      `this session began in ${held}, where Statewright is not installed any more. ` +
        'Start a new session',
    )
  }
  if (key === undefined) return undefined
  if (mark !== undefined) writeMark(mark, key.project ?? '', held)
  return usable(key, file)
}

/** One key in the form of older versions, or one for each project. */
function readKeys(file) {
  const record = JSON.parse(readFileSync(file, 'utf8'))
  return Array.isArray(record.keys) ? record.keys : [record]
}

function usable(key, file) {
  // The hooks have a key of their own, so that what comes with it is not the agent's word.
  const hook = key.hook_token ?? key.token
  const url = currentUrl(key)
  if (typeof url === 'string' && /^sw_\w+_[\w-]+$/.test(hook)) {
    const { token, project, wait_ms: waitMs } = key
    return { url, token, hookToken: hook, project, waitMs }
  }
  throw new Error(`${file} names no server and key; install it again`)
}

/** A server on this machine says itself where it answers now. */
function currentUrl({ url, data }) {
  if (data === undefined) return url
  try {
    return JSON.parse(readFileSync(join(data, 'server.json'), 'utf8')).url
  } catch {
    return url
  }
}

/** The innermost project around the first folder that lies in one. */
function nearest(keys, folders) {
  for (const folder of folders) {
    if (typeof folder !== 'string' || !isAbsolute(folder)) continue
    const real = realOf(folder)
    const around = keys.filter(({ project }) => project !== undefined && isIn(real, project))
    around.sort((one, other) => other.project.length - one.project.length)
    if (around.length > 0) return around[0]
  }
  return undefined
}

function isIn(path, folder) {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}

/** With links followed as far as the path exists. */
function realOf(path) {
  try {
    return realpathSync(path)
  } catch {
    const parent = dirname(path)
    return parent === path ? path : join(realOf(parent), basename(path))
  }
}

function markOf(file, client, session) {
  const name = `${client}-${session}`.replace(/[^A-Za-z0-9._-]/g, '_').slice(0, 200)
  return join(dirname(file), 'sessions', name)
}

function readMark(mark) {
  try {
    return readFileSync(mark, 'utf8')
  } catch {
    return undefined
  }
}

/** What cannot be remembered cannot be held to: the fault is the caller's, who denies. */
function writeMark(mark, project, held) {
  const now = new Date()
  // Marks that nobody has used for long are removed; see `home/session-marks.ts`.
  if (held !== undefined) return utimesSync(mark, now, now)
  mkdirSync(dirname(mark), { recursive: true, mode: 0o700 })
  writeFileSync(mark, project, { mode: 0o600 })
}

/**
 * Signs one request: when it was made, its body, and in `about` the path and what the request says
 * of its sender.
 */
function signRequest(token, about, body) {
  const key = sha256(Buffer.from(token))
  const [time, nonce] = [String(Date.now()), newNonce()]
  const mac = hmac(key, `${['statewright hook', time, nonce, 'POST', ...about].join('\n')}\n`, body)
  return {
    mac,
    header: `Statewright key=${keyId(key)},time=${time},nonce=${nonce},mac=${mac}`,
    /** Whether an answer comes from who has the same key, and belongs to this very request. */
    isAnswer: (text, said) => said === hmac(key, `statewright answer\n${mac}\n`, Buffer.from(text)),
  }
}

/** As many characters as Linux keeps of the name of a process. */
const nameLength = 15

/**
 * Takes the beginning of a signature as the name of this process. Nobody else can give it, so that
 * the server believes the number that the request says, and need not look for whoever holds the
 * connection: reading the kernel's table of all connections takes milliseconds.
 */
function showSignature(mac) {
  if (process.platform !== 'linux') return
  try {
    writeFileSync('/proc/self/comm', mac.slice(0, nameLength))
  } catch {
    // Then the server looks.
  }
}

/** Names the key, of which enough stays unknown. */
function keyId(key) {
  return key.slice(0, 16)
}

const blockBytes = 64

/** HMAC-SHA256. The key, a digest as text, is exactly one block long. */
function hmac(key, head, body) {
  const pad = (value) => Buffer.from(key).map((byte) => byte ^ value)
  const inner = sha256(Buffer.concat([pad(0x36), Buffer.from(head), body]))
  return sha256(Buffer.concat([pad(0x5c), Buffer.from(inner, 'hex')], blockBytes + 32))
}

const nonceBytes = 16

/** From the kernel itself where it has such a file. */
function newNonce() {
  const bytes = Buffer.alloc(nonceBytes)
  let file
  try {
    file = openSync('/dev/urandom', 'r')
    if (readSync(file, bytes) === nonceBytes) return bytes.toString('hex')
  } catch {
    // Not every system has it.
  } finally {
    if (file !== undefined) closeSync(file)
  }
  return require('node:crypto').randomBytes(nonceBytes).toString('hex')
}

/** From here on loading Node's own is the shorter way. */
const largeBytes = 32 * 1024

/**
 * The digest of some bytes as hexadecimal text. A hook is started for every call and signs a few
 * hundred bytes: this takes a fraction of the time that loading `node:crypto` does.
 */
function sha256(bytes) {
  if (bytes.length > largeBytes) {
    return require('node:crypto').createHash('sha256').update(bytes).digest('hex')
  }
  const padded = Buffer.alloc(((bytes.length + 72) >>> 6) << 6)
  padded.set(bytes)
  padded[bytes.length] = 0x80
  padded.writeUInt32BE(bytes.length * 8, padded.length - 4)
  const input = wordsOf(padded)
  const state = Int32Array.from(initial)
  const words = new Int32Array(64)
  for (let at = 0; at < input.length; at += 16) addBlock(state, words, input, at)
  return swapped(Buffer.from(state.buffer)).toString('hex')
}

/** The bytes as numbers of this machine. */
function wordsOf(bytes) {
  const { buffer, byteOffset, length } = swapped(bytes)
  return new Int32Array(buffer, byteOffset, length / 4)
}

const isLittleEndian = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1

function swapped(bytes) {
  return isLittleEndian ? bytes.swap32() : bytes
}

function constants(hex) {
  const bytes = Buffer.alloc(hex.length / 2)
  bytes.write(hex, 'hex')
  return wordsOf(bytes)
}

const roundConstants = constants(
  '428a2f9871374491b5c0fbcfe9b5dba53956c25b59f111f1923f82a4ab1c5ed5' +
    'd807aa9812835b01243185be550c7dc372be5d7480deb1fe9bdc06a7c19bf174' +
    'e49b69c1efbe47860fc19dc6240ca1cc2de92c6f4a7484aa5cb0a9dc76f988da' +
    '983e5152a831c66db00327c8bf597fc7c6e00bf3d5a7914706ca635114292967' +
    '27b70a852e1b21384d2c6dfc53380d13650a7354766a0abb81c2c92e92722c85' +
    'a2bfe8a1a81a664bc24b8b70c76c51a3d192e819d6990624f40e3585106aa070' +
    '19a4c1161e376c082748774c34b0bcb5391c0cb34ed8aa4a5b9cca4f682e6ff3' +
    '748f82ee78a5636f84c878148cc7020890befffaa4506cebbef9a3f7c67178f2',
)
const initial = constants('6a09e667bb67ae853c6ef372a54ff53a510e527f9b05688c1f83d9ab5be0cd19')

function addBlock(state, words, input, from) {
  for (let at = 0; at < 16; at++) words[at] = input[from + at]
  for (let at = 16; at < 64; at++) {
    const x = words[at - 15]
    const y = words[at - 2]
    const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3)
    const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10)
    words[at] = words[at - 16] + s0 + words[at - 7] + s1
  }
  let [a, b, c, d, e, f, g, h] = state
  for (let at = 0; at < 64; at++) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7))
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + roundConstants[at] + words[at]) | 0
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10))
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
    h = g
    g = f
    f = e
    e = (d + t1) | 0
    d = c
    c = b
    b = a
    a = (t1 + t2) | 0
  }
  state[0] += a
  state[1] += b
  state[2] += c
  state[3] += d
  state[4] += e
  state[5] += f
  state[6] += g
  state[7] += h
}

module.exports = { chooseKey, sha256, showSignature, signRequest }
