// Asks the server about one client hook: reads it from standard input, prints the answer. It is
// started for every call of some clients, so that it loads nothing it can do without: `node:net`
// costs a tenth of an empty Node, `node:http` or `fetch` would double it, and so it is no module of
// the newer kind, whose loader takes its time as well.
//
// Where the server is and which key to use stand in the file that `install` wrote and that the
// hook's entry names; of its keys the project of the call has one. The environment belongs to
// whoever the agent is.
const { readFileSync, writeSync } = require('node:fs')
const { connect } = require('node:net')
const { chooseKey, showSignature, signRequest } = require('./project-key.cjs')

/** Shorter than the timeout in the client's settings, after which many clients let calls pass. */
const deadlineMs = 10_000
const maxBytes = 8 * 1024 * 1024

const args = process.argv.slice(process.argv[2] === 'hook' ? 3 : 2)

/** What was asked, once it is read. */
let body

/**
 * Every fault blocks: exit code 2 is the one that all clients take for a denial, of whatever they
 * asked about. Only where nothing is held back does it pass: a blocked end of a turn would make
 * some clients go on for ever, and a blocked prompt would lock the person out.
 */
function block(reason) {
  if (telling.has(eventOf(asked()))) {
    process.stderr.write(`Statewright does not answer: ${reason}.\n`)
    writeSync(1, '{}')
    process.exit(0)
  }
  process.stderr.write(`Denied: Statewright could not check this call: ${reason}.\n`)
  process.exit(2)
}

/** What was asked decides how a fault is told, also of one that came before it was read. */
function asked() {
  try {
    body ??= readFileSync(0)
  } catch {
    // An unreadable hook is a call, which is denied.
  }
  return body
}

/** Read as a whole: the input of a tool may hold the same key, and an unreadable hook is a call. */
function eventOf(text) {
  return parsed(text)?.hook_event_name
}

function parsed(text) {
  try {
    return JSON.parse(text) ?? undefined
  } catch {
    return undefined
  }
}

/** Events by which clients only tell something, in all their spellings. */
const telling = new Set([
  ...['PostToolUse', 'PostToolUseFailure', 'PostToolBatch', 'AfterTool', 'UserPromptSubmit'],
  ...['BeforeAgent', 'AfterAgent', 'Stop', 'SubagentStart', 'SubagentStop'],
  ...['SessionStart', 'SessionEnd', 'sessionStart', 'sessionEnd', 'beforeSubmitPrompt', 'stop'],
  ...['postToolUse', 'postToolUseFailure', 'subagentStop', 'afterFileEdit'],
  ...['afterShellExecution', 'afterMCPExecution'],
])

const patience = setTimeout(outOfTime, deadlineMs, deadlineMs).unref()
process.on('uncaughtException', (fault) => block(fault.message))

const [client, file] = args
if (client === undefined || file === undefined || !/^[a-z][a-z-]{0,30}$/.test(client)) {
  block('it is called as: statewright hook <client> <file written by install>')
}
body = readFileSync(0)
if (body.length > maxBytes) block('the hook is too large')
const { url, hookToken: token, project, waitMs } = readKey()
// An agent that a session of ours has started waits for a person.
if (waitMs !== undefined) {
  clearTimeout(patience)
  setTimeout(outOfTime, waitMs, waitMs).unref()
}
const ours = [process.execPath, commandFile(), 'mcp', '--key', file, '--client', client]
const target = new URL(`/hooks/${client}`, url)
const socket = open(target)
post(body)

/** Our command lies beside us, or where the copy that `install` made of us was copied from. */
function commandFile() {
  try {
    return JSON.parse(readFileSync(`${__dirname}/command.json`, 'utf8')).command
  } catch {
    return `${__dirname}/statewright.mjs`
  }
}

function outOfTime(ms) {
  block(`no answer within ${ms / 1000} seconds`)
}

/** The key of the project in which the call happens. Where nobody guards, the call passes. */
function readKey() {
  let hook
  const key = chooseKey(file, () => {
    hook = placeOf(body)
    return hook
  })
  if (key !== undefined) return key
  if (hook.isStart) {
    const [folder] = hook.folders
    process.stderr.write(`Statewright does not guard ${folder}: nothing is installed there.\n`)
  }
  writeSync(1, '{}')
  return process.exit(0)
}

/** Clients say where the call happens. Our own folder is not asked: the agent may choose it. */
function placeOf(text) {
  const hook = parsed(text)
  if (typeof hook !== 'object' || Array.isArray(hook)) block('the hook cannot be read')
  const { cwd, workspace_roots: roots, session_id, conversation_id, hook_event_name: event } = hook
  const said = [cwd, ...(Array.isArray(roots) ? roots : [])]
  const folders = said.filter((folder) => typeof folder === 'string')
  if (folders.length === 0) block('the hook does not name its folder')
  const session = session_id ?? conversation_id
  const isStart = event === 'SessionStart' || event === 'sessionStart'
  return { client, folders, isStart, session: typeof session === 'string' ? session : undefined }
}

function isObject(text) {
  try {
    const value = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}

function open({ protocol, hostname, port: given }) {
  const isTls = protocol === 'https:'
  const port = Number(given || (isTls ? 443 : 80))
  const place = { host: hostname.replace(/^\[|\]$/g, ''), port }
  return isTls ? require('node:tls').connect({ ...place, servername: hostname }) : connect(place)
}

function post(content) {
  const about = {
    // Our parent is the client, and what it starts is the agent, not the person.
    'Statewright-Process': String(process.pid),
    // Our MCP server as `install` entered it: another one of its name is not ours.
    'Statewright-Gateway': ours.map(encodeURIComponent).join(','),
    // What `~` means to the agent, which need not be what it means to the server.
    'Statewright-Home': encodeURIComponent(process.env.HOME ?? process.env.USERPROFILE ?? ''),
  }
  const signature = signRequest(token, [target.pathname, ...Object.values(about)], content)
  showSignature(signature.mac)
  // In HTTP/1.0 the answer is plain bytes until the connection ends: nothing to take apart.
  const head = [
    `POST ${target.pathname} HTTP/1.0`,
    `Host: ${target.host}`,
    // Never the token itself: some other program may have the port by now.
    `Authorization: ${signature.header}`,
    'Content-Type: application/json',
    `Content-Length: ${content.length}`,
    'Statewright-Hook: command',
    ...Object.entries(about).map(([name, value]) => `${name}: ${value}`),
  ]
  let answer = Buffer.alloc(0)
  const start = `Start it with "statewright up"${project === undefined ? '' : ` in ${project}`}`
  socket.on('error', ({ message }) =>
    block(`the server does not answer at ${target.host} (${message}). ${start}`),
  )
  socket.on('data', (chunk) => {
    answer = answer.length === 0 ? chunk : Buffer.concat([answer, chunk])
    if (answer.length > maxBytes) block('the answer is too large')
    // The end of the connection comes a good while after the end of the answer.
    if (isWhole(answer)) finish(answer.toString('utf8'), signature)
  })
  socket.on('end', () => finish(answer.toString('utf8'), signature))
  // In one piece: two would wait for each other on their way.
  socket.write(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), content]))
}

const lengthLine = /\r\ncontent-length: *(\d+)\r\n/i

function isWhole(answer) {
  const end = answer.indexOf('\r\n\r\n')
  if (end < 0) return false
  const length = lengthLine.exec(answer.toString('latin1', 0, end + 2))?.[1]
  return length !== undefined && answer.length === end + 4 + Number(length)
}

function finish(whole, signature) {
  const end = whole.indexOf('\r\n\r\n')
  const head = whole.slice(0, end + 2)
  const status = /^HTTP\/1\.[01] (\d{3})/.exec(whole)?.[1]
  const length = lengthLine.exec(head)?.[1]
  const text = whole.slice(end + 4)
  const isCut = length !== undefined && Buffer.byteLength(text) !== Number(length)
  if (end < 0 || status === undefined || isCut) block('the connection broke off')
  if (status !== '200') block(`the server answered with ${status}`)
  // Some other program may have the port by now, and its "{}" would mean yes.
  if (!signature.isAnswer(text, headerOf(head, 'mac'))) block(unproven(headerOf(head, 'refused')))
  if (!isObject(text)) block('the answer of the server is not a JSON object')
  print(Buffer.from(text))
  process.exit(0)
}

function headerOf(head, name) {
  return new RegExp(`\r\nstatewright-${name}: *(\\w+)\r\n`, 'i').exec(head)?.[1]
}

/** Why the server says that it did not take our word; anybody could say it, and it opens nothing. */
function unproven(reason) {
  const again = `Run "statewright install ${client}" again`
  if (reason === 'unknown_key') return `the server does not know the key of this hook. ${again}`
  if (reason === 'wrong_time') return 'the clocks of this machine and of the server differ'
  if (reason !== undefined) return `the server refused the request (${reason})`
  return (
    `what answers at ${target.host} cannot prove that it is the Statewright server. ` +
    'If the server is older than this hook, restart it'
  )
}

/** Straight to the file: a stream for it would take longer to make than all the rest. */
function print(bytes) {
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(1, bytes, at)
    } catch (fault) {
      // The client has not read yet what is already in the pipe.
      if (fault.code !== 'EAGAIN') throw fault
    }
  }
}
