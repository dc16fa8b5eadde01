import { useEffect, useState } from 'react'

/**
 * Fields that write when they are left or Enter is pressed: a text that changes with each key would
 * write half a number into the definition.
 */
function useDraft(value: string, onSet: (value: string) => void) {
  const [draft, setDraft] = useState(value)
  useEffect(() => setDraft(value), [value])
  return {
    draft,
    setDraft,
    commit: () => {
      if (draft !== value) onSet(draft)
    },
  }
}

export function TextField(props: {
  readonly label: string
  readonly value: string
  readonly onSet: (value: string) => void
}) {
  const { draft, setDraft, commit } = useDraft(props.value, props.onSet)
  return (
    <label className="field">
      <span>{props.label}</span>
      <textarea
        rows={2}
        value={draft}
        onChange={(event) => setDraft(event.target.value)}
        onBlur={commit}
      />
    </label>
  )
}

/** A list as lines; undefined is a list that is not written at all. */
export function LinesField(props: {
  readonly label: string
  readonly hint: string
  readonly value: readonly string[] | undefined
  readonly onSet: (value: readonly string[] | undefined) => void
}) {
  const { label, hint, value, onSet } = props
  const { draft, setDraft, commit } = useDraft((value ?? []).join('\n'), (text) => {
    const lines = text.split('\n').map((line) => line.trim())
    onSet([...new Set(lines.filter((line) => line !== ''))])
  })
  return (
    <div className="stack lines">
      <label className="field">
        <span>{label}</span>
        <textarea
          rows={Math.min(6, Math.max(2, (value ?? []).length))}
          value={draft}
          onChange={(event) => setDraft(event.target.value)}
          onBlur={commit}
        />
      </label>
      <span className="row spread">
        <span className="soft small-text">{hint}</span>
        {value === undefined ? (
          <button type="button" className="button small quiet" onClick={() => onSet([])}>
            Allow nothing
          </button>
        ) : (
          <button type="button" className="button small quiet" onClick={() => onSet(undefined)}>
            Remove the restriction
          </button>
        )}
      </span>
    </div>
  )
}

export function NumberField(props: {
  readonly label: string
  readonly value: number | undefined
  readonly onSet: (value: number | undefined) => void
}) {
  const { label, value, onSet } = props
  const { draft, setDraft, commit } = useDraft(value === undefined ? '' : String(value), (text) => {
    const number = Number(text)
    if (text.trim() === '') onSet(undefined)
    else if (Number.isSafeInteger(number) && number > 0) onSet(number)
  })
  return (
    <label className="field">
      <span>{label}</span>
      <input
        inputMode="numeric"
        placeholder="no limit"
        value={draft}
        onChange={(event) => setDraft(event.target.value)}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.key === 'Enter') commit()
        }}
      />
    </label>
  )
}

export function FlagField(props: {
  readonly label: string
  readonly value: boolean
  readonly isFixed?: boolean
  readonly onSet: (value: boolean) => void
}) {
  return (
    <label className="flag">
      <input
        type="checkbox"
        checked={props.value}
        disabled={props.isFixed === true}
        onChange={(event) => props.onSet(event.target.checked)}
      />{' '}
      {props.label}
    </label>
  )
}

export function ChoiceField(props: {
  readonly label: string
  readonly value: string
  readonly options: readonly string[]
  readonly none?: string
  readonly onSet: (value: string) => void
}) {
  const { label, value, options, none, onSet } = props
  const isKnown = value === '' || options.includes(value)
  return (
    <label className="field">
      <span>{label}</span>
      <select value={value} onChange={(event) => onSet(event.target.value)}>
        {none === undefined ? null : <option value="">{none}</option>}
        {isKnown ? null : <option value={value}>{value}</option>}
        {options.map((option) => (
          <option key={option} value={option}>
            {option}
          </option>
        ))}
      </select>
    </label>
  )
}

/** Adds a line under a name that is typed. */
export function AddForm(props: {
  readonly label: string
  readonly word: string
  readonly placeholder?: string
  readonly onAdd: (name: string) => void
}) {
  const { label, word, placeholder, onAdd } = props
  const [name, setName] = useState('')
  return (
    <form
      className="row add-line"
      onSubmit={(submitted) => {
        submitted.preventDefault()
        onAdd(name.trim())
        setName('')
      }}
    >
      <label className="field grow">
        <span>{label}</span>
        <input
          value={name}
          placeholder={placeholder}
          onChange={(typed) => setName(typed.target.value)}
        />
      </label>
      <button type="submit" className="button" disabled={name.trim() === ''}>
        {word}
      </button>
    </form>
  )
}
