import { useState } from 'react'

/** A command to type, with a button that copies it. */
export function CommandLine({ text }: { readonly text: string }) {
  const [copied, setCopied] = useState(false)
  const copy = () => {
    // Refused where the page is not served over a safe address; the text can be marked by hand.
    navigator.clipboard?.writeText(text).then(
      () => setCopied(true),
      () => setCopied(false),
    )
  }
  return (
    <span className="command">
      <code>{text}</code>
      <button type="button" className="button small quiet" onClick={copy}>
        {copied ? 'Copied' : 'Copy'}
        <span className="visually-hidden"> {text}</span>
      </button>
    </span>
  )
}
