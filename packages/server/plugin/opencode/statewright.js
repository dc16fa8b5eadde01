// Statewright's plugin for opencode: asks the server before every tool call. opencode takes a throw
// for a refusal, and everything but a well-formed allow is one. It needs nothing but what opencode
// itself brings along, since a plugin that fails to load is skipped without a word.
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { createRequire } from 'node:module'

/** `statewright install opencode` puts in what it has made: key file, MCP entry, our own program. */
const installed = { keyFile: '', keyProgram: '', mcpEntry: null }

const deadlineMs = 10_000
const maxBytes = 8 * 1024 * 1024
const ourServer = 'statewright'

export const Statewright = async ({ client, directory }) => {
  /** The session that a person opened, by each session below it. */
  const roots = new Map()

  async function rootOf(session) {
    const known = roots.get(session)
    if (known !== undefined) return known
    const found = await within(client.session.get({ path: { id: session } }))
    if (typeof found?.data?.id !== 'string') throw new Error('its session cannot be looked up')
    const parent = found.data.parentID
    const root = typeof parent === 'string' ? await rootOf(parent) : session
    roots.set(session, root)
    return root
  }

  /** Undefined where nobody guards this folder. */
  async function ask(session, message) {
    const root = await rootOf(session)
    const key = readKey(root, directory)
    return key && post(key, { ...message, session, root, directory })
  }

  /** What the merged settings say: a project may bring entries of its own along. */
  const mcpServers = once(async () => {
    const { data } = await within(client.config.get())
    if (!isObject(data)) throw new Error('its settings cannot be looked up')
    return data.mcp ?? {}
  })

  /** Names of tools are `<server>_<tool>`, and say no more. */
  async function placeOf(tool) {
    const known = await mcpServers()
    const names = Object.keys(known).filter((name) => tool.startsWith(`${plainName(name)}_`))
    const server = names.sort((a, b) => b.length - a.length)[0]
    if (server === undefined || (await ownTools()).has(tool)) return { tool, to_us: false }
    const name = tool.slice(plainName(server).length + 1)
    const to_us = server === ourServer && isSame(known[server], installed.mcpEntry)
    return to_us ? { tool: name, to_us } : { tool: name, server, to_us }
  }

  /** Tools of opencode itself and of plugins: one of them may be named like a server's. */
  const ownTools = once(async () => {
    const { data } = await within(client.tool.ids())
    if (!Array.isArray(data)) throw new Error('its tools cannot be looked up')
    return new Set(data)
  })

  return {
    'tool.execute.before': async ({ tool, sessionID, callID }, output) => {
      const answer = await judge(async () => {
        const place = await placeOf(tool)
        const message = { event: 'tool.before', ...place, call: callID, args: output.args }
        return (await ask(sessionID, message)) ?? unguarded
      })
      if (answer.args === undefined) return
      for (const key of Object.keys(output.args)) delete output.args[key]
      Object.assign(output.args, answer.args)
    },

    'tool.execute.after': async ({ tool, sessionID, callID }, output) => {
      const place = await quietly(() => placeOf(tool))
      if (place === undefined) return
      const { bytes, failed, text } = resultOf(output)
      const exit = failed ? 'failure' : 'success'
      const message = { event: 'tool.after', ...place, call: callID, bytes, exit, output: text }
      const answer = await quietly(() => ask(sessionID, message))
      if (typeof answer?.say === 'string') addWords(output, answer.say)
    },

    'experimental.chat.system.transform': async ({ sessionID }, output) => {
      if (sessionID === undefined) return
      const answer = await quietly(async () => {
        return (await ask(sessionID, { event: 'request' })) ?? unguarded
      })
      if (answer === undefined) output.system.push(unreachable)
      else if (typeof answer.say === 'string') output.system.push(answer.say)
    },

    event: async ({ event }) => {
      const { type, properties } = event
      if (type === 'session.created') {
        const { id, parentID } = properties.info
        const parent = parentID === undefined ? id : (roots.get(parentID) ?? undefined)
        if (parent !== undefined) roots.set(id, parent)
        if (parentID === undefined) await quietly(() => ask(id, { event: 'session.started' }))
      } else if (type === 'session.idle') {
        await quietly(() => ask(properties.sessionID, { event: 'session.idle' }))
      } else if (type === 'session.deleted') roots.delete(properties.info?.id)
    },
  }
}

/** What a server would say that has no rule for the call. */
const unguarded = { decision: 'allow' }

const unreachable =
  '[STATEWRIGHT] The server that checks tool calls does not answer: every tool call will be denied.'

/** Exactly an allow lets the call run; anything else is thrown, which refuses it. */
async function judge(work) {
  let answer
  try {
    answer = await work()
  } catch (fault) {
    const why = fault instanceof Error ? fault.message : String(fault)
    throw new Error(`Denied: Statewright could not check this call: ${why}.`)
  }
  const isAllowed = answer.decision === 'allow'
  const hasArgs = answer.args !== undefined
  if (isAllowed && (!hasArgs || isObject(answer.args))) return answer
  if (answer.decision === 'deny' && typeof answer.reason === 'string')
    throw new Error(answer.reason)
  throw new Error('Denied: the answer of the Statewright server was not a decision.')
}

async function quietly(work) {
  try {
    return await work()
  } catch {
    return undefined
  }
}

/** Asks once and remembers; what failed is asked again. */
function once(find) {
  let found
  return async () => {
    found ??= await find()
    return found
  }
}

function within(work) {
  let timer
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer in time')), deadlineMs)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

/** Loaded when it is needed: a plugin whose imports have gone is skipped, and guards nothing. */
function readKey(session, directory) {
  if (installed.keyFile === '') throw new Error('install it with: statewright install opencode')
  const { chooseKey } = ourProgram()
  const call = () => ({ client: 'opencode', session, folders: [directory] })
  return chooseKey(installed.keyFile, call)
}

function ourProgram() {
  return createRequire(import.meta.url)(installed.keyProgram)
}

/** Not `fetch`, which would follow the proxies that the environment names. */
function post({ url, hookToken: token }, message) {
  const target = new URL('/hooks/opencode', url)
  const body = Buffer.from(JSON.stringify(message))
  // Never the token itself: some other program may have the port by now.
  // What `~` means to the agent, which need not be what it means to the server.
  const home = encodeURIComponent(process.env.HOME ?? process.env.USERPROFILE ?? '')
  const signature = ourProgram().signRequest(token, [target.pathname, '', '', home], body)
  const start = target.protocol === 'https:' ? requestHttps : requestHttp
  const headers = {
    authorization: signature.header,
    'content-type': 'application/json',
    'content-length': body.length,
    'statewright-home': home,
  }
  // Never a kept connection, which may be one of a server that is gone: the call would be denied.
  const options = { method: 'POST', headers, timeout: deadlineMs, agent: false }
  return within(
    new Promise((resolve, reject) => {
      const sent = start(target, options, (response) => {
        const chunks = []
        let bytes = 0
        response.on('error', reject)
        response.on('data', (chunk) => {
          bytes += chunk.length
          if (bytes > maxBytes) sent.destroy(new Error('the answer is too large'))
          else chunks.push(chunk)
        })
        response.on('aborted', () => reject(new Error('the connection broke off')))
        response.on('end', () => {
          try {
            resolve(readAnswer(response, Buffer.concat(chunks).toString('utf8'), signature))
          } catch (fault) {
            reject(fault)
          }
        })
      })
      sent.on('error', reject)
      sent.on('timeout', () => sent.destroy(new Error('no answer in time')))
      sent.end(body)
    }),
  )
}

function readAnswer({ statusCode, complete, headers }, text, signature) {
  if (!complete) throw new Error('the connection broke off')
  if (statusCode !== 200) throw new Error(`the server answered with ${statusCode}`)
  if (!signature.isAnswer(text, headers['statewright-mac'])) {
    const reason = headers['statewright-refused']
    throw new Error(
      reason === undefined
        ? 'what answers there cannot prove that it is the Statewright server'
        : `the server refused the request (${String(reason).slice(0, 20)})`,
    )
  }
  const answer = JSON.parse(text)
  if (!isObject(answer)) throw new Error('the answer of the server is not an object')
  return answer
}

function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** opencode spells servers so in the names of their tools. */
function plainName(server) {
  return server.replace(/[^a-zA-Z0-9_-]/g, '_')
}

function isSame(left, right) {
  return right !== null && sorted(left) === sorted(right)
}

function sorted(value) {
  return JSON.stringify(value, (_key, item) =>
    isObject(item) ? Object.fromEntries(Object.entries(item).sort()) : item,
  )
}

/** Built-in tools give words and the exit of a shell; MCP tools a list of contents. */
function resultOf(output) {
  const text = typeof output?.output === 'string' ? output.output : JSON.stringify(output?.content)
  const exit = output?.metadata?.exit
  const failed =
    output?.isError === true || (typeof exit === 'number' && exit !== 0) || exit === null
  // A history keeps no more of it; the bytes count all.
  return { bytes: Buffer.byteLength(text ?? ''), failed, text: text?.slice(0, 200_000) }
}

function addWords(output, words) {
  if (typeof output?.output === 'string') output.output = `${output.output}\n${words}`
  else if (Array.isArray(output?.content)) output.content.push({ type: 'text', text: words })
}
