import type { Entry } from '@statewright/core/internal'
import { entryWords } from '../../model/words/entry-words.ts'
import { plainText } from '../../model/words/plain-text.ts'
import { Foreign } from './foreign-text.tsx'
import { Mark } from './mark.tsx'
import { Ago, Since } from './when.tsx'

/** One line of a history: a mark, what happened, and when. */
export function EntryLine(props: {
  readonly entry: Entry
  /** The start of the run, where times are told from it. */
  readonly since?: number | undefined
  /** The command or file of a call. */
  readonly gist?: string
  /** How often it came in a row. */
  readonly times?: number
  /** Small print before the time, such as how long it took. */
  readonly facts?: string
}) {
  const { entry, since, gist = '', times = 1, facts = '' } = props
  const { tone, mark, title, detail } = entryWords(entry)
  return (
    <span className="entry">
      <span aria-hidden="true" className={`entry-mark ${tone}`}>
        <Mark name={mark} />
      </span>
      <span className="entry-text">
        <Foreign text={title} max={200} />
        {times === 1 ? null : <span className="badge">{times} times</span>}
        {gist === '' ? null : (
          <code className="clip entry-gist" title={plainText(gist, 2000)}>
            {plainText(gist, 300)}
          </code>
        )}
        {entry.branch === undefined ? null : (
          <span className="badge">
            <Mark name="branch" /> <Foreign text={entry.branch} max={40} />
          </span>
        )}
        {detail === '' ? null : (
          <span className="soft">
            <Foreign text={detail} max={300} />
          </span>
        )}
      </span>
      <span className="soft small-text entry-when">
        {facts === '' ? null : <span className="entry-facts">{facts} · </span>}
        {since === undefined ? <Ago at={entry.at} /> : <Since at={entry.at} start={since} />}
      </span>
    </span>
  )
}
