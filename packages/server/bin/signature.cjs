// How a hook and the server prove themselves to each other, in one round trip and without a secret
// on the way: whoever has the port while the server is away learns nothing, and has nothing to say.
// The other side is `src/http/auth/hook-signature.ts`.
const { closeSync, openSync, readSync } = require('node:fs')
const { sha256 } = require('./sha256.cjs')

/**
 * Signs one request: when it was made, its body, and in `about` the path and what the request says
 * of its sender.
 */
function signRequest(token, about, body) {
  const key = sha256(Buffer.from(token))
  const [time, nonce] = [String(Date.now()), newNonce()]
  const mac = hmac(key, `${['statewright hook', time, nonce, 'POST', ...about].join('\n')}\n`, body)
  return {
    header: `Statewright key=${keyId(key)},time=${time},nonce=${nonce},mac=${mac}`,
    /** Whether an answer comes from who has the same key, and belongs to this very request. */
    isAnswer: (text, said) => said === hmac(key, `statewright answer\n${mac}\n`, Buffer.from(text)),
  }
}

/**
 * For those who can only send a header that never changes: it is good for telling what happened,
 * and what it is made of cannot be found from it.
 */
function tellToken(token) {
  const key = sha256(Buffer.from(token))
  return `sw_tell_${keyId(key)}_${hmac(key, 'statewright tell\n', Buffer.alloc(0))}`
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

module.exports = { signRequest, tellToken }
