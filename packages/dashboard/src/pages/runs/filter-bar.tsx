import { useQuery } from '@tanstack/react-query'
import { definitionsQuery } from '../../api/definitions.ts'
import { plainText } from '../../model/plain-text.ts'
import { type RunFilters, runStatuses } from '../../model/run-filters.ts'

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
      {runStatuses.map((status) => {
        const isOn = filters.status.includes(status)
        return (
          <button
            key={status}
            type="button"
            aria-pressed={isOn}
            className={isOn ? 'button small is-on' : 'button small'}
            onClick={() => toggle(status)}
          >
            {status}
          </button>
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
      {filters.project === '' ? null : (
        <button
          type="button"
          className="button small is-on"
          onClick={() => onChange({ ...filters, project: '' })}
        >
          {plainText(filters.project, 60)} ✕
        </button>
      )}
    </search>
  )
}
