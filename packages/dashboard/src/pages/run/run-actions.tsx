import { hasEnded } from '@statewright/core/internal'
import { endpoints, type Run, requestFor } from '@statewright/core/wire'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../../api/client/client.ts'
import { plainText } from '../../model/words/plain-text.ts'
import { Confirm } from '../../ui/dialogs/confirm.tsx'
import { useFeedState } from '../../ui/page/feed-state.ts'
import { ForceDialog } from './force-dialog.tsx'

type Verb = 'pause' | 'resume' | 'stop'

const words: Readonly<Record<Verb, { title: string; what: string; done: string }>> = {
  pause: {
    title: 'Pause the run',
    what: 'Every call is denied until a person resumes it, except for the tools of Statewright.',
    done: 'Paused',
  },
  resume: { title: 'Resume the run', what: 'It continues in the same state.', done: 'Resumed' },
  stop: {
    title: 'Stop the run',
    what: 'It ends here and cannot be resumed.',
    done: 'Stopped',
  },
}

export function RunActions({ run }: { readonly run: Run }) {
  const [verb, setVerb] = useState<Verb | null>(null)
  const [isForcing, setForcing] = useState(false)
  const isOver = hasEnded(run.status)
  return (
    <>
      {isOver ? null : <LiveActions run={run} onVerb={setVerb} onForce={() => setForcing(true)} />}
      <Link to="/compare" search={{ left: run.run_id }} className="button">
        Compare
      </Link>
      <a
        className="button"
        href={requestFor(endpoints.exportRun, { params: { id: run.run_id } }).path}
        download={`${run.run_id}.json`}
      >
        Export
      </a>
      {verb === null ? null : (
        <Confirm
          title={`${words[verb].title}: ${plainText(run.workflow, 60)}`}
          description={words[verb].what}
          word={words[verb].title}
          act={() => call(endpoints[`${verb}Run`], { params: { id: run.run_id }, body: {} })}
          changes={['run', run.run_id]}
          done={words[verb].done}
          tone="plain"
          isDangerous={verb === 'stop'}
          onClose={() => setVerb(null)}
        />
      )}
      {isForcing ? <ForceDialog run={run} onClose={() => setForcing(false)} /> : null}
    </>
  )
}

/** What can be done with a run that goes on. */
function LiveActions(props: {
  readonly run: Run
  readonly onVerb: (verb: Verb) => void
  readonly onForce: () => void
}) {
  const { run, onVerb, onForce } = props
  // Nobody would hear of it, and where the run stands by now is not known.
  const isLost = useFeedState() === 'lost'
  return (
    <>
      {run.status === 'paused' ? (
        <button type="button" className="button" disabled={isLost} onClick={() => onVerb('resume')}>
          Resume
        </button>
      ) : (
        <button type="button" className="button" disabled={isLost} onClick={() => onVerb('pause')}>
          Pause
        </button>
      )}
      <button
        type="button"
        className="button danger"
        disabled={isLost}
        onClick={() => onVerb('stop')}
      >
        Stop
      </button>
      {run.meta.debug === true ? (
        <button type="button" className="button" disabled={isLost} onClick={onForce}>
          Force…
        </button>
      ) : null}
    </>
  )
}
