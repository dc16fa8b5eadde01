import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { userName } from '../../app/user-name.ts'
import { type Environment, stateHome } from '../../home/folders.ts'

const Logins = z.record(z.string(), z.strictObject({ token: z.string(), name: z.string() }))
type Logins = z.infer<typeof Logins>

/**
 * The tokens that `statewright login` was given, one for each server. They lie beside the data,
 * where no guarded call may look, and only their owner may read them.
 */
export function loginFile(environment: Environment): string {
  return join(stateHome(environment), 'logins.json')
}

/** How this command line is shown to people. */
export function loginName(): string {
  return `${userName()} at ${hostname()}`.slice(0, 200)
}

export function readLogin(environment: Environment, url: string): string | undefined {
  const logins = readAll(loginFile(environment))
  const key = keyOf(url)
  return Object.hasOwn(logins, key) ? logins[key]?.token : undefined
}

export function keepLogin(
  environment: Environment,
  url: string,
  login: { readonly token: string; readonly name: string },
): void {
  const file = loginFile(environment)
  const logins = { ...readAll(file), [keyOf(url)]: login }
  writePrivately(file, logins)
}

/** A token is only ever sent to the address that gave it. */
function keyOf(url: string): string {
  return new URL(url).origin
}

function readAll(file: string): Logins {
  try {
    return Logins.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    // Not there or not ours: then nobody is logged in, and the next login writes it again.
    return {}
  }
}

function writePrivately(file: string, logins: Logins): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const fresh = `${file}.${process.pid}`
  writeFileSync(fresh, `${JSON.stringify(logins, null, 2)}\n`, { mode: 0o600 })
  // A file left by an earlier fault may have had other rights.
  chmodSync(fresh, 0o600)
  renameSync(fresh, file)
}
