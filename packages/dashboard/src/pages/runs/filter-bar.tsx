import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { definitionsQuery } from '../../api/resources/definitions.ts'
import { type RunFilters, readFilters, runStatuses } from '../../model/runs/run-filters.ts'
import { plainText } from '../../model/words/plain-text.ts'
import { useHotkeys } from '../../ui/page/hotkeys.ts'
import { Toggle } from '../../ui/page/toggle.tsx'
import { Mark } from '../../ui/values/mark.tsx'

/** What the list is narrowed to. The address carries it, so that a view can be shared. */
export function FilterBar(props: {
  readonly filters: RunFilters
  readonly onChange: (filters: RunFilters) => void
}) {
  const { filters, onChange } = props
  const workflows = useQuery(definitionsQuery('workflow')).data ?? []
  const names = new Set([...workflows.map(({ name }) => name), filters.workflow].filter(Boolean))
  const toggle = (status: (typeof runStatuses)[number]) => {
    const isOn = filters.status.includes(status)
    const next = isOn ? filters.status.filter((one) => one !== status) : [...filters.status, status]
    onChange({ ...filters, status: next })
  }
  return (
    <search className="row filters">
      <SearchField value={filters.search} onChange={(search) => onChange({ ...filters, search })} />
      {runStatuses.map((status) => {
        const isOn = filters.status.includes(status)
        return (
          <Toggle key={status} isOn={isOn} onClick={() => toggle(status)}>
            {status}
          </Toggle>
        )
      })}
      <label className="field filter-workflow">
        <span className="visually-hidden">Workflow</span>
        <select
          value={filters.workflow}
          onChange={(event) => onChange({ ...filters, workflow: event.target.value })}
        >
          <option value="">All workflows</option>
          {[...names].map((name) => (
            <option key={name} value={name}>
              {plainText(name, 60)}
            </option>
          ))}
        </select>
      </label>
      <SpanField filters={filters} onChange={onChange} />
      {filters.project === '' ? null : (
        <button
          type="button"
          className="button small is-on"
          onClick={() => onChange({ ...filters, project: '' })}
        >
          {plainText(filters.project, 60)} <Mark name="no" />
        </button>
      )}
    </search>
  )
}

function SpanField(props: {
  readonly filters: RunFilters
  readonly onChange: (filters: RunFilters) => void
}) {
  const { filters, onChange } = props
  return (
    <label className="field filter-workflow">
      <span className="visually-hidden">Changed</span>
      <select
        value={filters.span}
        onChange={({ target: { value } }) =>
          onChange({ ...filters, span: readFilters({ span: value }).span })
        }
      >
        <option value="">Any time</option>
        <option value="1h">Last hour</option>
        <option value="1d">Last day</option>
        <option value="7d">Last 7 days</option>
      </select>
    </label>
  )
}

const typingMs = 250

/** What is typed stands in the address once the typing rests. */
function SearchField(props: {
  readonly value: string
  readonly onChange: (value: string) => void
}) {
  const [text, setText] = useState(props.value)
  const field = useRef<HTMLInputElement>(null)
  const change = useRef(props.onChange)
  change.current = props.onChange
  // Another address, such as by the back button, is another text, unless somebody types.
  useEffect(() => {
    if (document.activeElement !== field.current) setText(props.value)
  }, [props.value])
  useEffect(() => {
    if (text === props.value) return
    const timer = setTimeout(() => change.current(text), typingMs)
    return () => clearTimeout(timer)
  }, [text, props.value])
  useHotkeys({ '/': () => field.current?.focus() })
  return (
    <label className="field filter-search">
      <span className="visually-hidden">Search runs</span>
      <input
        ref={field}
        type="search"
        maxLength={200}
        value={text}
        placeholder="Id, state, tool, command, file or person"
        onChange={(event) => setText(event.target.value)}
      />
    </label>
  )
}
