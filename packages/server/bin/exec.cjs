// Runs one shell command that the server has judged, in the environment and the sandbox that its
// state asks for (SH-15). A client calls it instead of the command itself, with a ticket that
// serves once; what the command is, only the server tells. It is started for every such call, so
// that it loads no more than it needs, like the hook command beside it.
const { spawn } = require('node:child_process')
const { lstatSync, readdirSync, readFileSync } = require('node:fs')
const { connect } = require('node:net')
const { dirname } = require('node:path')
const { signRequest } = require('./project-key.cjs')

const deadlineMs = 10_000
const maxBytes = 1024 * 1024
/** What shells say of a command that was found and may not run. */
const notRun = 126
const markName = 'STATEWRIGHT_CALL'

const args = process.argv.slice(process.argv[2] === 'exec' ? 3 : 2)
const [url, ticket] = args
if (url === undefined || ticket === undefined) refuse('it is called by clients, with a ticket')

post('/api/exec/start', ticket, {}, (answer) => {
  if (answer.status !== 200) refuse(answer.body?.detail ?? answer.body?.message ?? 'no ticket')
  if (!answer.isProven) refuse('What answers there cannot prove that it is the server.')
  run(answer.body)
})

function refuse(reason) {
  process.stderr.write(`statewright: the command was not run. ${reason}\n`)
  process.exit(notRun)
}

function run(plan) {
  const began = performance.now()
  const hash = require('node:crypto').createHash('sha256')
  let bytes = 0
  const printed = keepEnds(plan.capture)
  const { env, inside } = environmentOf(plan)
  const words = plan.is_caged
    ? [...reachable(plan.args), ...inside, '--', ...plan.command]
    : plan.command
  const child = spawn(plan.program, words, {
    cwd: plan.cwd,
    env: { ...env, [markName]: plan.mark },
    detached: true,
    stdio: ['inherit', 'pipe', 'pipe'],
  })
  for (const name of ['stdout', 'stderr']) {
    child[name].on('data', (chunk) => {
      hash.update(chunk)
      bytes += chunk.length
      printed.add(chunk)
      // A reader that is slower than the command must slow it down, not fill our memory.
      if (!process[name].write(chunk)) {
        child[name].pause()
        process[name].once('drain', () => child[name].resume())
      }
    })
    // A reader such as `head` has seen enough: the command hears of it when it writes again.
    process[name].on('error', () => child[name].destroy())
  }
  let ended
  const end = () => {
    kill(-child.pid)
    for (let round = 0; round < 20; round++) {
      const left = marked(plan.mark)
      if (left.length === 0) return
      left.forEach(kill)
    }
  }
  for (const [signal, number] of [
    ['SIGTERM', 15],
    ['SIGINT', 2],
    ['SIGHUP', 1],
  ]) {
    // The server hears of the end, so that it puts aside what must not stay.
    process.on(signal, () => {
      ended = 128 + number
      end()
    })
  }
  child.on('error', (fault) => {
    process.stderr.write(`statewright: the command could not be started (${fault.message}).\n`)
    report(plan, { exit: notRun, bytes, output_hash: hash.digest('hex') }, 0)
  })
  child.on('exit', (code, signal) => {
    end()
    const exit = ended ?? code ?? 128 + (require('node:os').constants.signals[signal] ?? 9)
    const leave = () => {
      clearTimeout(late)
      const result = { exit, bytes, output_hash: hash.digest('hex'), ...printed.kept() }
      report(plan, result, performance.now() - began)
    }
    // Whoever kept the pipes open has been ended.
    const late = setTimeout(leave, 2000)
    child.removeAllListeners('close')
    child.on('close', leave)
  })
}

/**
 * The options of the sandbox without what hides files of another user from us. Where the server is
 * another user we cannot come near them, neither here nor inside, and the sandbox could not begin.
 */
function reachable(options) {
  const kept = []
  for (let at = 0; at < options.length; ) {
    const hidden = hiddenAt(options, at)
    const words = hidden?.words ?? [options[at]]
    if (hidden === undefined || !isForeign(hidden.path)) kept.push(...words)
    at += words.length
  }
  return kept
}

/** As `bubblewrap.ts` hides a folder or a file; all its paths are absolute. */
function hiddenAt(options, at) {
  const path = options[at + 2] === '--tmpfs' ? options[at + 3] : options[at + 2]
  const folder = ['--perms', '0500', '--tmpfs', path, '--remount-ro', path]
  const file = ['--ro-bind', '/dev/null', path]
  const words = [folder, file].find((all) => all.every((word, i) => options[at + i] === word))
  return words && { path, words }
}

/** Whether a folder of somebody else shuts us out. One of ours could be opened again. */
function isForeign(path) {
  for (let at = path; at !== dirname(at); at = dirname(at)) {
    try {
      return lstatSync(at).uid !== process.getuid() && at !== path
    } catch (fault) {
      if (fault.code !== 'EACCES') return false
    }
  }
  return false
}

/** The beginning and the end of what was printed, where the history wants it. */
function keepEnds(max) {
  let head = Buffer.alloc(0)
  let tail = Buffer.alloc(0)
  let left = 0
  return {
    add(chunk) {
      if (max === 0) return
      const room = Math.max(0, max - head.length)
      head = Buffer.concat([head, chunk.subarray(0, room)])
      tail = Buffer.concat([tail, chunk.subarray(room)])
      left += Math.max(0, tail.length - max)
      tail = tail.subarray(Math.max(0, tail.length - max))
    },
    kept() {
      if (max === 0) return {}
      const gap = left === 0 ? '' : `\n[${left} bytes left out]\n`
      return { output: `${head.toString('utf8')}${gap}${tail.toString('utf8')}` }
    },
  }
}

function report(plan, { exit, ...facts }, duration_ms) {
  // Without an answer the result is not known to the server, which then proves nothing.
  post(
    '/api/exec/done',
    plan.report,
    { exit, ...facts, duration_ms },
    ({ body, isProven }) => {
      if (isProven) body.put_aside.forEach(tellPutAside)
      leaveWith(exit)
    },
    () => leaveWith(exit),
  )
}

function tellPutAside(path) {
  process.stderr.write(
    `statewright: ${path} is protected; what was created there was moved aside.\n`,
  )
}

function leaveWith(exit) {
  process.exitCode = exit
  // What is still on its way to a slow reader goes out; nothing else keeps us.
  process.stdout.write('', () => process.stderr.write('', () => process.exit(exit)))
}

/** Everything that the client would have given, without what is blocked or ours, with what is set. */
function environmentOf(plan) {
  const { blocked, overrides, loader, is_caged: isCaged } = plan
  const never = new RegExp(plan.never_given)
  const only = new RegExp(plan.only_given ?? '')
  const loads = new RegExp(loader)
  const env = {}
  const inside = []
  const given = Object.entries(process.env).filter(([name]) => only.test(name))
  for (const [name, value] of Object.entries({ ...Object.fromEntries(given), ...overrides })) {
    if (never.test(name) || blocked.includes(name)) continue
    if (isCaged && loads.test(name)) inside.push('--setenv', name, value)
    else env[name] = value
  }
  return { env, inside }
}

function kill(pid) {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}

/** What left the group is known by the mark in its environment. */
function marked(mark) {
  if (process.platform !== 'linux') return []
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && hasMark(name, mark))
    .map(Number)
}

function hasMark(pid, mark) {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`${markName}=${mark}\0`)
  } catch {
    return false
  }
}

/** The secret is not sent but signs: whoever has the port by now could use it, or say what runs. */
function post(path, secret, value, then, fail = refuse) {
  const target = new URL(path, url)
  const content = Buffer.from(JSON.stringify(value))
  const signature = signRequest(secret, [target.pathname, '', ''], content)
  const socket = connect({ host: target.hostname.replace(/^\[|\]$/g, ''), port: target.port })
  const timer = setTimeout(() => fail('the server did not answer in time.'), deadlineMs)
  const chunks = []
  let isOver = false
  const over = (work) => {
    if (isOver) return
    isOver = true
    clearTimeout(timer)
    socket.destroy()
    work()
  }
  socket.on('error', (fault) =>
    over(() => fail(`The server cannot be reached (${fault.message}).`)),
  )
  socket.on('data', (chunk) => {
    chunks.push(chunk)
    if (chunks.length > maxBytes) over(() => fail('the answer is too large.'))
  })
  socket.on('end', () => {
    const answer = readAnswer(Buffer.concat(chunks).toString('utf8'), signature)
    over(() => (answer === undefined ? fail('the connection broke off.') : then(answer)))
  })
  const head = [
    `POST ${target.pathname} HTTP/1.0`,
    `Host: ${target.host}`,
    `Authorization: ${signature.header}`,
    'Content-Type: application/json',
    `Content-Length: ${content.length}`,
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  socket.write(content)
}

function readAnswer(whole, signature) {
  const end = whole.indexOf('\r\n\r\n')
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(whole)?.[1])
  const text = whole.slice(end + 4)
  const mac = /\r\nstatewright-mac: *(\w+)\r\n/i.exec(whole.slice(0, end + 2))?.[1]
  try {
    if (end < 0 || Number.isNaN(status)) return undefined
    return { status, isProven: signature.isAnswer(text, mac), body: JSON.parse(text) }
  } catch {
    return undefined
  }
}
