import type { DefinitionKind, DefinitionLine } from '@statewright/core/wire'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { definitionQuery, removeDefinition, saveDefinition } from '../../api/definitions.ts'
import { type ApiProblem, problemOf } from '../../api/problem.ts'
import { plainText } from '../../model/plain-text.ts'
import { Modal } from '../../ui/dialog.tsx'
import { Foreign } from '../../ui/foreign-text.tsx'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { toast } from '../../ui/toasts.tsx'
import { Ago } from '../../ui/when.tsx'
import { WholeBox } from '../../ui/whole-box.tsx'
import { DefinitionLink } from './definition-link.tsx'

/** What an agent wrote for itself. It binds nobody else until a person has read and accepted it. */
export function DraftCard(props: { readonly kind: DefinitionKind; readonly line: DefinitionLine }) {
  const { kind, line } = props
  const [open, setOpen] = useState<'accept' | 'discard' | null>(null)
  return (
    <article className="panel draft">
      <header>
        <span className="row tight">
          <strong>
            <Foreign text={line.name} most={120} />
          </strong>
          <span className="badge wait">draft</span>
          <span className="soft small-text">
            by <Foreign text={line.saved_by} most={40} /> <Ago at={line.saved_at} />
          </span>
        </span>
        <span className="row tight">
          <DefinitionLink kind={kind} name={line.name} to="edit" className="button small quiet">
            Open in the editor
          </DefinitionLink>
          <button type="button" className="button small danger" onClick={() => setOpen('discard')}>
            Discard…
          </button>
          <button type="button" className="button small primary" onClick={() => setOpen('accept')}>
            Read and accept…
          </button>
        </span>
      </header>
      {line.description === undefined ? null : (
        <div className="body soft">
          <Foreign text={line.description} most={400} />
        </div>
      )}
      {open === 'accept' ? (
        <AcceptDialog kind={kind} line={line} onClose={() => setOpen(null)} />
      ) : null}
      {open === 'discard' ? (
        <DiscardDialog kind={kind} line={line} onClose={() => setOpen(null)} />
      ) : null}
    </article>
  )
}

interface DraftDialog {
  readonly kind: DefinitionKind
  readonly line: DefinitionLine
  readonly onClose: () => void
}

/**
 * Saves the very text that is on screen in the person's name. Were the draft accepted by its name
 * alone, the agent could change it between the reading and the click.
 */
function AcceptDialog({ kind, line, onClose }: DraftDialog) {
  const { data } = useQuery(definitionQuery(kind, line.name, line.version))
  const act = useAct(onClose)
  return (
    <Modal
      isOpen
      onClose={onClose}
      title={`Accept ${line.name}`}
      description="Runs of people and projects can use it once it is saved in your name."
    >
      {data === undefined ? (
        <p className="soft">Reading…</p>
      ) : (
        <WholeBox label="The draft">
          <pre className="foreign">{plainText(data.text, Number.POSITIVE_INFINITY)}</pre>
        </WholeBox>
      )}
      {act.problem === null ? null : <ProblemNote problem={act.problem} />}
      <div className="actions">
        <button type="button" className="button" onClick={onClose}>
          Cancel
        </button>
        <button
          type="button"
          className="button primary"
          disabled={data === undefined || act.isBusy}
          onClick={() => {
            const text = data?.text ?? ''
            void act.run(() => saveDefinition(kind, line.name, text), 'Accepted')
          }}
        >
          Accept this text
        </button>
      </div>
    </Modal>
  )
}

function DiscardDialog({ kind, line, onClose }: DraftDialog) {
  const act = useAct(onClose)
  return (
    <Modal
      isOpen
      onClose={onClose}
      title={`Discard ${line.name}?`}
      description="The draft is removed. Runs that were started from it keep their rules."
    >
      {act.problem === null ? null : <ProblemNote problem={act.problem} />}
      <div className="actions">
        <button type="button" className="button" onClick={onClose}>
          Keep it
        </button>
        <button
          type="button"
          className="button danger"
          disabled={act.isBusy}
          onClick={() => void act.run(() => removeDefinition(kind, line.name), 'Discarded')}
        >
          Discard the draft
        </button>
      </div>
    </Modal>
  )
}

function useAct(onDone: () => void) {
  const client = useQueryClient()
  const [problem, setProblem] = useState<ApiProblem | null>(null)
  const [isBusy, setBusy] = useState(false)
  const run = async (act: () => Promise<unknown>, word: string) => {
    setBusy(true)
    try {
      await act()
      toast('good', word)
      onDone()
      await client.invalidateQueries({ queryKey: ['definitions'] })
    } catch (fault) {
      setProblem(problemOf(fault))
      setBusy(false)
    }
  }
  return { problem, isBusy, run }
}
