import { userInfo } from 'node:os'

/** Who runs this program; an account without an entry has no name. */
export function userName(): string {
  try {
    return userInfo().username.slice(0, 100) || 'somebody'
  } catch {
    return 'somebody'
  }
}
