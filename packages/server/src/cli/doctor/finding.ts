/** One thing that was looked at. `broken` means that calls may pass or that nothing works. */
export interface Finding {
  readonly check: string
  readonly status: 'ok' | 'warning' | 'broken'
  readonly message: string
  readonly next?: string
}

export interface ExaminedClient {
  readonly client: string
  readonly scope: string
  readonly project?: string
  readonly url: string
  readonly findings: readonly Finding[]
}

export function fine(check: string, message: string): Finding {
  return { check, status: 'ok', message }
}

/** What is broken has a next step: a red line that leads nowhere helps nobody. */
export function broken(check: string, message: string, next: string): Finding {
  return { check, status: 'broken', message, next }
}

export function warning(check: string, message: string, next?: string): Finding {
  return { check, status: 'warning', message, ...(next === undefined ? {} : { next }) }
}
