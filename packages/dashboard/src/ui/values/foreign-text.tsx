import { plainText, plainValue } from '../../model/words/plain-text.ts'

/** Words that an agent chose: bounded, isolated, and with nothing hidden in them. */
export function Foreign({ text, max = 400 }: { readonly text: string; readonly max?: number }) {
  return <bdi className="foreign">{plainText(text, max)}</bdi>
}

/** A value that an agent chose, as a block that scrolls by itself. */
export function ForeignBlock(props: { readonly value: unknown; readonly label: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section aria-label={props.label} tabIndex={0} className="block">
      <pre className="foreign">{plainValue(props.value)}</pre>
    </section>
  )
}
