import { lazy, Suspense, useMemo } from 'react'
import { plainText } from '../../model/words/plain-text.ts'
import { Modal } from '../../ui/dialogs/dialog.tsx'
import { Foreign } from '../../ui/values/foreign-text.tsx'
import { Ago } from '../../ui/values/when.tsx'
import { ChangeList } from './change-list.tsx'
import { clashes } from './clashes.ts'
import './conflict.css'

const TextDiff = lazy(async () => ({ default: (await import('../editor/text-diff.tsx')).TextDiff }))

/** What somebody else saved while a text was edited. */
export interface TheirVersion {
  readonly text: string
  readonly version: number
  readonly by: string
  /** Epoch milliseconds. */
  readonly at: number
}

/** Two people changed the same text: what each changed, and whose counts. */
export function ConflictDialog(props: {
  readonly name: string
  readonly theirs: TheirVersion
  readonly mine: string
  /** The text that both began with, where it is known. */
  readonly base?: string | undefined
  readonly onTheirs: () => void
  readonly onMine: () => void
  /** Back to one's own text, which now counts as a change of theirs. */
  readonly onEdit: () => void
}) {
  const { name, theirs, mine, base, onTheirs, onMine, onEdit } = props
  const { version, by, at } = theirs
  return (
    <Modal
      isOpen
      isWide
      onClose={onEdit}
      title={`Not saved: version ${version} came first`}
      description={
        <>
          <Foreign text={by} max={60} /> saved version {version} of {plainText(name, 60)}{' '}
          <Ago at={at} />, after you opened it. Both texts are still here.
        </>
      }
    >
      {base === undefined ? (
        <Side title="From theirs to yours" before={theirs.text} after={mine} />
      ) : (
        <>
          <div className="conflict-sides">
            <Side title="They changed" before={base} after={theirs.text} />
            <Side title="You changed" before={base} after={mine} />
          </div>
          <Clashes {...{ base, mine }} theirs={theirs.text} />
        </>
      )}
      <div className="conflict-text">
        <Suspense fallback={<p className="soft body">Loading…</p>}>
          <TextDiff before={theirs.text} after={mine} label="From their text to yours" />
        </Suspense>
      </div>
      <div className="actions">
        <button type="button" className="button other" onClick={onTheirs}>
          Take theirs
        </button>
        <button type="button" className="button" onClick={onEdit}>
          Edit mine
        </button>
        <button type="button" className="button primary" onClick={onMine}>
          Keep mine as version {version + 1}
        </button>
      </div>
    </Modal>
  )
}

function Side(props: { readonly title: string; readonly before: string; readonly after: string }) {
  const { title, before, after } = props
  return (
    <section className="panel" aria-label={title}>
      <header>
        <h3>{title}</h3>
      </header>
      <ChangeList before={before} after={after} label={title} />
    </section>
  )
}

function Clashes(props: { readonly base: string; readonly theirs: string; readonly mine: string }) {
  const { base, theirs, mine } = props
  const paths = useMemo(() => clashes(base, theirs, mine), [base, theirs, mine])
  if (paths.length === 0) {
    return <p className="soft">You changed different things: edit yours to take over theirs.</p>
  }
  return (
    <p className="wait foreign">
      Both of you changed{' '}
      {paths
        .slice(0, 5)
        .map((path) => plainText(path, 120))
        .join(', ')}
      {paths.length > 5 ? ' and more' : ''}.
    </p>
  )
}
