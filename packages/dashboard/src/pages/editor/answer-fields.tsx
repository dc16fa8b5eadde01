import type { ProcessDefinition } from '@statewright/core/internal'
import { useState } from 'react'
import { plainText } from '../../model/words/plain-text.ts'
import { Mark } from '../../ui/mark.tsx'
import { ChoiceField, TextField } from './fields.tsx'

type Path = readonly string[]

const actions = ['block', 'warn', 'complete', 'notify_human']

/** A question of a process, and where each answer leads. */
export function AnswerFields(props: {
  readonly question: ProcessDefinition['states'][string] | undefined
  readonly name: string
  readonly states: readonly string[]
  readonly set: (path: Path, value: unknown) => void
}) {
  const { question, name, states, set } = props
  const [answer, setAnswer] = useState('')
  if (question === undefined) return null
  const at = (...more: readonly string[]) => ['states', name, ...more]
  return (
    <>
      <TextField
        label="Question"
        value={question.question}
        onSet={(value) => set(at('question'), value)}
      />
      <fieldset className="choices stack">
        <legend>
          <h3>Answers</h3>
        </legend>
        {Object.entries(question.answers ?? {}).map(([one, { next, action }]) => (
          <div key={one} className="way-line">
            <span className="row spread">
              <code className="foreign">{plainText(one, 60)}</code>
              <button
                type="button"
                className="button small quiet danger"
                aria-label={`Remove ${one}`}
                onClick={() => set(at('answers', one), undefined)}
              >
                <Mark name="no" />
              </button>
            </span>
            <div className="field-grid">
              <ChoiceField
                label="Leads to"
                value={next ?? ''}
                options={states}
                none="the end"
                onSet={(value) => set(at('answers', one, 'next'), value === '' ? null : value)}
              />
              <ChoiceField
                label="And does"
                value={action ?? ''}
                options={actions}
                none="nothing else"
                onSet={(value) =>
                  set(at('answers', one, 'action'), value === '' ? undefined : value)
                }
              />
            </div>
          </div>
        ))}
        <form
          className="row add-line"
          onSubmit={(submitted) => {
            submitted.preventDefault()
            set(at('answers', answer.trim()), { next: null })
            setAnswer('')
          }}
        >
          <label className="field grow">
            <span>New answer</span>
            <input value={answer} onChange={(typed) => setAnswer(typed.target.value)} />
          </label>
          <button type="submit" className="button" disabled={answer.trim() === ''}>
            Add it
          </button>
        </form>
      </fieldset>
    </>
  )
}
