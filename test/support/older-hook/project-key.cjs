// Which server judges a call, and with which key: the one of the project in which it happens. The
// settings of most coding clients hold for every folder of their user, so that whoever is asked
// through them must look first whose folder it is. The hook command, the MCP server and the plugin
// of opencode load this for every call: it needs nothing but Node's own files and paths.
const { mkdirSync, readFileSync, realpathSync, utimesSync, writeFileSync } = require('node:fs')
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
  // Marks that nobody has used for long are removed; see `config/session-marks.ts`.
  if (held !== undefined) return utimesSync(mark, now, now)
  mkdirSync(dirname(mark), { recursive: true, mode: 0o700 })
  writeFileSync(mark, project, { mode: 0o600 })
}

module.exports = { chooseKey }
