/**
 * A path below our own address that somebody is led to, else the first page. What a browser would
 * read as another host is none: not only `//evil`, also `/\\evil`, and `/.//evil`, of which it
 * leaves the first two characters out.
 */
export function ownPath(path: unknown): string {
  if (typeof path !== 'string' || path.length > maxPath || !path.startsWith('/')) return '/'
  const [pathname = ''] = path.split(/[?#]/, 1)
  return isPlain(path) && !/\/\/|\\/.test(pathname) ? path : '/'
}

const maxPath = 2000

/** Browsers leave tabs and line ends out before they read an address. */
function isPlain(path: string): boolean {
  return ![...path].some((letter) => letter <= ' ')
}
