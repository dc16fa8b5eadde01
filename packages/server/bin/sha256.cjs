// SHA-256 in plain JavaScript. Hooks are started for every call and sign a few hundred bytes each:
// this takes a fraction of the time that loading `node:crypto` does. `test/clients/sha256.test.ts`
// holds it against Node's own.

/** From here on loading Node's own is the shorter way. */
const largeBytes = 32 * 1024

/** The digest of some bytes as hexadecimal text. */
function sha256(bytes) {
  return bytes.length > largeBytes
    ? require('node:crypto').createHash('sha256').update(bytes).digest('hex')
    : plainSha256(bytes)
}

const roundConstants = wordsOf(
  '428a2f9871374491b5c0fbcfe9b5dba53956c25b59f111f1923f82a4ab1c5ed5' +
    'd807aa9812835b01243185be550c7dc372be5d7480deb1fe9bdc06a7c19bf174' +
    'e49b69c1efbe47860fc19dc6240ca1cc2de92c6f4a7484aa5cb0a9dc76f988da' +
    '983e5152a831c66db00327c8bf597fc7c6e00bf3d5a7914706ca635114292967' +
    '27b70a852e1b21384d2c6dfc53380d13650a7354766a0abb81c2c92e92722c85' +
    'a2bfe8a1a81a664bc24b8b70c76c51a3d192e819d6990624f40e3585106aa070' +
    '19a4c1161e376c082748774c34b0bcb5391c0cb34ed8aa4a5b9cca4f682e6ff3' +
    '748f82ee78a5636f84c878148cc7020890befffaa4506cebbef9a3f7c67178f2',
)
const initial = wordsOf('6a09e667bb67ae853c6ef372a54ff53a510e527f9b05688c1f83d9ab5be0cd19')

function wordsOf(hex) {
  const bytes = Buffer.from(hex, 'hex')
  return Int32Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readInt32BE(4 * at))
}

function plainSha256(bytes) {
  const { length } = bytes
  const padded = Buffer.alloc(((length + 72) >>> 6) << 6)
  padded.set(bytes)
  padded[length] = 0x80
  padded.writeUInt32BE(length * 8, padded.length - 4)
  const state = Int32Array.from(initial)
  const words = new Int32Array(64)
  for (let at = 0; at < padded.length; at += 64) addBlock(state, words, padded, at)
  const digest = Buffer.alloc(32)
  for (let at = 0; at < 8; at++) digest.writeInt32BE(state[at], 4 * at)
  return digest.toString('hex')
}

function addBlock(state, words, bytes, from) {
  for (let at = 0; at < 16; at++) words[at] = bytes.readInt32BE(from + 4 * at)
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

module.exports = { sha256 }
