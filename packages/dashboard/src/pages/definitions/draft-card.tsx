import type { DefinitionKind, DefinitionLine } from '@statewright/core/wire'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  definitionQuery,
  removeDefinition,
  saveDefinition,
} from '../../api/resources/definitions.ts'
import { plainText } from '../../model/words/plain-text.ts'
import { Confirm } from '../../ui/dialogs/confirm.tsx'
import { Foreign } from '../../ui/values/foreign-text.tsx'
import { Ago } from '../../ui/values/when.tsx'
import { WholeBox } from '../../ui/values/whole-box.tsx'
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
            <Foreign text={line.name} max={120} />
          </strong>
          <span className="badge wait">draft</span>
          <span className="soft small-text">
            by <Foreign text={line.saved_by} max={40} /> <Ago at={line.saved_at} />
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
          <Foreign text={line.description} max={400} />
        </div>
      )}
      {open === 'accept' ? (
        <AcceptDialog kind={kind} line={line} onClose={() => setOpen(null)} />
      ) : null}
      {open === 'discard' ? (
        <Confirm
          title={`Discard ${line.name}?`}
          description="The draft is removed. Runs that were started from it keep their rules."
          word="Discard the draft"
          cancel="Keep it"
          act={() => removeDefinition(kind, line.name)}
          changes={['definitions']}
          done="Discarded"
          isDangerous
          onClose={() => setOpen(null)}
        />
      ) : null}
    </article>
  )
}

/**
 * Saves the very text that is on screen in the person's name. Were the draft accepted by its name
 * alone, the agent could change it between the reading and the click.
 */
function AcceptDialog(props: {
  readonly kind: DefinitionKind
  readonly line: DefinitionLine
  readonly onClose: () => void
}) {
  const { kind, line, onClose } = props
  const { data } = useQuery(definitionQuery(kind, line.name, line.version))
  return (
    <Confirm
      title={`Accept ${line.name}`}
      description="Once you save it, people and projects can start runs of it."
      word="Accept this text"
      act={() => saveDefinition(kind, line.name, data?.text ?? '')}
      changes={['definitions']}
      done="Accepted"
      isReady={data !== undefined}
      onClose={onClose}
    >
      {data === undefined ? (
        <p className="soft">Reading…</p>
      ) : (
        <WholeBox label="The draft">
          <pre className="foreign">{plainText(data.text, Number.POSITIVE_INFINITY)}</pre>
        </WholeBox>
      )}
    </Confirm>
  )
}
