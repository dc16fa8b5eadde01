/** The script that a page begins with. Its name holds the hash of all that was built. */
export function scriptOf(page: string): string | undefined {
  return /<script[^>]*\bsrc="([^"]*\/assets\/[^"]+\.js)"/.exec(page)?.[1]
}

/** Whether the server has another page than the one that began with a script. */
export function isOtherPage(running: string | undefined, newest: string | undefined): boolean {
  const script = newest === undefined ? undefined : scriptOf(newest)
  // A development server builds nothing: its page has no such script.
  return running !== undefined && script !== undefined && script !== running
}
