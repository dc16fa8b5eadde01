import { useMemo } from 'react'
import { changesBetween } from '../../model/text/changes.ts'
import { plainText } from '../../model/words/plain-text.ts'
import './conflict.css'

/** What the newer one says otherwise, however either is written. */
export function ChangeList(props: {
  readonly before: string
  readonly after: string
  readonly label?: string
}) {
  const { before, after, label = 'Changes' } = props
  const changes = useMemo(() => changesBetween(before, after), [before, after])
  if (changes === undefined) return null
  if (changes.length === 0) {
    return <p className="body soft">Both mean the same; only the notation differs.</p>
  }
  return (
    <ul className="body changes" aria-label={label}>
      {changes.map(({ path, before: was, after: is }) => (
        <li key={path}>
          <code className="foreign">{plainText(path, 300)}</code>{' '}
          {was === undefined ? null : <del className="foreign">{plainText(was, 400)}</del>}
          {was !== undefined && is !== undefined ? ' → ' : ' '}
          {is === undefined ? null : <ins className="foreign">{plainText(is, 400)}</ins>}
        </li>
      ))}
    </ul>
  )
}
