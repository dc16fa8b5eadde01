import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { problemOf } from '../../api/client/problem.ts'
import { templatesQuery } from '../../api/resources/definitions.ts'
import { Page } from '../../ui/page/page.tsx'
import { ProblemNote } from '../../ui/page/problem-note.tsx'
import { Foreign } from '../../ui/values/foreign-text.tsx'
import './definitions.css'

/** Something to begin with: a template that comes with us, or a few lines. */
export function TemplatesPage() {
  const { kind } = useSearch({ from: '/templates' })
  const { data, error } = useQuery(templatesQuery)
  const shown = data?.filter((template) => template.kind === kind) ?? []
  return (
    <Page
      title={`New ${kind}`}
      subtitle="Begin with one that works and change it. Nothing is saved until you save it."
    >
      {error === null ? null : <ProblemNote problem={problemOf(error)} />}
      <ul className="templates">
        {shown.map(({ name, description, text }) => (
          <li key={name}>
            <Link to="/playground" search={{ template: name }} className="panel template">
              <strong>
                <Foreign text={name} />
              </strong>
              <span className="soft">
                <Foreign text={description} />
              </span>
              <span className="soft small-text">{text.split('\n').length} lines</span>
            </Link>
          </li>
        ))}
        <li>
          <Link
            to="/playground"
            search={{ template: kind === 'workflow' ? 'empty' : 'empty-process' }}
            className="panel template"
          >
            <strong>Empty</strong>
            <span className="soft">Two states and nothing else: write the rest yourself.</span>
          </Link>
        </li>
      </ul>
    </Page>
  )
}
