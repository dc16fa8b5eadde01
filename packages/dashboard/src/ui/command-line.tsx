import { useState } from 'react'

/** A command to type, with a button that copies it. */
export function CommandLine({ text: said }: { readonly text: string }) {
  const [copied, setCopied] = useState(false)
  // Whoever has just cloned us and run "npm start" has no "statewright" on their path.
  const text = said.startsWith('statewright ') ? `npx ${said}` : said
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
