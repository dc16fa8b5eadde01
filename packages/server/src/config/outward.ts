import type { UpstreamEntry } from './gateway-schema.ts'
import type { Settings } from './schema.ts'

/** Keys by which the server starts programs, sends what it knows, or learns who is a person. */
const outwardKeys: readonly string[] = [
  'upstreams',
  'notify',
  'mail',
  'oidc',
] satisfies (keyof Settings)[]

export function isOutward(key: string): boolean {
  // A tool of a server is told of as a key below the server's.
  return outwardKeys.includes(key.split('.', 1)[0] ?? '')
}

/**
 * What holds of the first configuration of a project before a person has looked at it: all but the
 * programs and addresses that the project itself names. A repository that was just cloned must not
 * choose what runs here. The user's own file is theirs, but not the files of a project that it
 * names.
 */
export function unaskedSettings(settings: Settings, projectKeys: readonly string[]): Settings {
  const says = (key: keyof Settings) => projectKeys.includes(key)
  const { upstreams, notify, mail, oidc } = settings
  const { command: _unasked, files = [], ...reported } = notify
  const isOwnNotify = !says('notify') && files.length === 0
  return {
    ...settings,
    upstreams: says('upstreams') ? {} : withoutProjectFiles(upstreams),
    notify: says('notify') ? {} : isOwnNotify ? notify : reported,
    mail: says('mail') ? null : mail,
    // Anyone who wrote a repository must not choose who is a person here.
    oidc: says('oidc') ? null : oidc,
  }
}

function withoutProjectFiles(upstreams: Settings['upstreams']): Settings['upstreams'] {
  const entries = Object.entries(upstreams).filter(([, entry]) => filesOf(entry).length === 0)
  return Object.fromEntries(entries)
}

function filesOf(entry: UpstreamEntry): readonly unknown[] {
  return 'command' in entry ? (entry.files ?? []) : []
}
