/**
 * The host of a web address, in lower case. Programs read odd addresses differently: what two of
 * them could take for two hosts has none here (a login before the host, a backslash, letters that
 * only look like others). Throws where there is none.
 */
export function plainHost(address: string): string {
  const [, host = '', rest = ''] =
    /^https?:\/\/([a-z0-9.-]+)(?::\d{1,5})?((?:[/?#].*)?)$/is.exec(address) ?? []
  const labels = host.toLowerCase().split('.')
  const isPlain = labels.every((label) => /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/.test(label))
  // Old programs look for the last "@" before the first slash, also behind "?" and "#".
  const isTorn = /^[?#][^/]*@/.test(rest)
  if (!isPlain || isTorn || /[\s\\\p{Cc}]/u.test(address)) throw new Error('no plain web address')
  const last = labels.at(-1) ?? ''
  // Numbers have many spellings: 127.1, 0x7f000001 and 2130706433 are one address.
  if (/^(?:\d|0x)/.test(last) && !plainNumbers.test(host)) throw new Error('no plain web address')
  return labels.join('.')
}

const plainNumbers = /^(?:(?:0|[1-9]\d{0,2})\.){3}(?:0|[1-9]\d{0,2})$/
