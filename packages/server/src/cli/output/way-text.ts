/** A way through a definition as a person reads it, with what is still needed along it. */
export function wayText(
  steps: readonly {
    readonly event: string
    readonly target: string
    readonly needs?: string | undefined
  }[],
): string {
  return steps
    .map(({ event, target, needs }) => {
      return `${event} -> ${target}${needs === undefined ? '' : ` (${needs})`}`
    })
    .join(', ')
}
