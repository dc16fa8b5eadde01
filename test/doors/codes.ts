/** The code that a denial begins with, wherever it is read as text. */
export function codeOf(text: string): string {
  const [, code] = /^([a-z]+(?:_[a-z]+)*): /.exec(withoutHead(text)) ?? []
  return code ?? `none in "${text.slice(0, 80)}"`
}

/** Claude Code says first which hook of which tool it was. */
function withoutHead(text: string): string {
  return text.replace(/^PreToolUse:\w+ hook error: /, '')
}
