// Prints one line for a client's status line: the phase, calls left, a waiting approval. The client
// starts it again and again, so that it loads as little as the hook command. It guards nothing: a
// fault is told in a word, and never stops the client.
const { readFileSync } = require('node:fs')
const { connect } = require('node:net')
const { chooseKey, signRequest } = require('./project-key.cjs')

const deadlineMs = 2000
const maxBytes = 64 * 1024

function say(text) {
  process.stdout.write(text === '' ? '' : `${text}\n`, () => process.exit(0))
}

const noAnswer = 'statewright: no answer, tool calls are denied'
setTimeout(() => say(noAnswer), deadlineMs).unref()
process.on('uncaughtException', () => say(noAnswer))

const [client = '', file = ''] = process.argv.slice(2)
const { session_id: session, cwd } = JSON.parse(readFileSync(0, 'utf8'))
const key = chooseKey(file, () => ({ folders: [cwd ?? process.cwd()] }))
const target = new URL(`/hooks/${encodeURIComponent(client)}/status`, key.url)
const body = JSON.stringify({ session })
const signature = signRequest(key.hookToken, [target.pathname, '', ''], Buffer.from(body))
const head = [
  // In HTTP/1.0 the answer is plain bytes until the connection ends: nothing to take apart.
  `POST ${target.pathname} HTTP/1.0`,
  `Host: ${target.host}`,
  // Never the token itself: some other program may have the port by now.
  `Authorization: ${signature.header}`,
  'Content-Type: application/json',
  `Content-Length: ${Buffer.byteLength(body)}`,
]
const isTls = target.protocol === 'https:'
const place = {
  host: target.hostname.replace(/^\[|\]$/g, ''),
  port: Number(target.port || (isTls ? 443 : 80)),
}
const socket = isTls
  ? require('node:tls').connect({ ...place, servername: target.hostname })
  : connect(place)
let answer = ''
socket.setEncoding('utf8')
socket.on('error', () => say(noAnswer))
socket.on('data', (text) => {
  answer += text
  if (answer.length > maxBytes) say(noAnswer)
})
socket.on('end', () => {
  const end = answer.indexOf('\r\n\r\n')
  const told = answer.slice(end + 4)
  const mac = /\r\nstatewright-mac: *(\w+)\r\n/i.exec(answer.slice(0, end + 2))?.[1]
  const { text } = signature.isAnswer(told, mac) ? JSON.parse(told) : {}
  say(typeof text === 'string' ? text : noAnswer)
})
socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
