/** The code that a denial begins with, wherever it is read as text. */
export function codeOf(text: string): string {
  return (
    /^\s*(?:Denied \()?([a-z]+(?:_[a-z]+)*)\)?: /.exec(text)?.[1] ??
    `none in "${text.slice(0, 80)}"`
  )
}
