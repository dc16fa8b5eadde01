import type { ProcessDefinition } from '@statewright/core/internal'
import { plainText } from '../../model/words/plain-text.ts'
import { Mark } from '../../ui/values/mark.tsx'
import { AddForm, ChoiceField, TextField } from './fields.tsx'

type Path = readonly string[]
type Question = ProcessDefinition['states'][string]

const actions = ['block', 'warn', 'complete', 'notify_human']

/** A question of a process, and where each answer leads. */
export function AnswerFields(props: {
  readonly question: Question | undefined
  readonly name: string
  readonly states: readonly string[]
  readonly set: (path: Path, value: unknown) => void
}) {
  const { question, name, states, set } = props
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
        {Object.entries(question.answers ?? {}).map(([answer, way]) => (
          <AnswerLine
            key={answer}
            answer={answer}
            way={way}
            states={states}
            set={(field, value) => set(at('answers', answer, ...field), value)}
          />
        ))}
        <AddForm
          label="New answer"
          word="Add it"
          onAdd={(answer) => set(at('answers', answer), { next: null })}
        />
      </fieldset>
    </>
  )
}

/** One answer: where it leads and what it does. */
function AnswerLine(props: {
  readonly answer: string
  readonly way: NonNullable<Question['answers']>[string]
  readonly states: readonly string[]
  readonly set: (field: Path, value: unknown) => void
}) {
  const { answer, way, states, set } = props
  return (
    <div className="way-line">
      <span className="row spread">
        <code className="foreign">{plainText(answer, 60)}</code>
        <button
          type="button"
          className="button small quiet danger"
          aria-label={`Remove ${answer}`}
          onClick={() => set([], undefined)}
        >
          <Mark name="no" />
        </button>
      </span>
      <div className="field-grid">
        <ChoiceField
          label="Leads to"
          value={way.next ?? ''}
          options={states}
          none="the end"
          onSet={(value) => set(['next'], value === '' ? null : value)}
        />
        <ChoiceField
          label="And does"
          value={way.action ?? ''}
          options={actions}
          none="nothing else"
          onSet={(value) => set(['action'], value === '' ? undefined : value)}
        />
      </div>
    </div>
  )
}
