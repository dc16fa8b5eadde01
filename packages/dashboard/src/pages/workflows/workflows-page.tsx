import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { problemOf } from '../../api/problem.ts'
import { workflowsQuery } from '../../api/queries.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Foreign } from '../../ui/foreign-text.tsx'
import { Page } from '../../ui/page.tsx'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { Ago } from '../../ui/when.tsx'

export function WorkflowsPage() {
  const { data, error } = useQuery(workflowsQuery)
  return (
    <Page title="Workflows" subtitle="What agents may do, state by state.">
      {error === null ? null : <ProblemNote problem={problemOf(error)} />}
      {data?.length === 0 ? (
        <EmptyState title="No workflow yet" command="statewright workflow push workflow.yaml">
          A workflow says which tools an agent may use in each state and what leads on.
        </EmptyState>
      ) : (
        <div className="panel scroll-x">
          <table className="table">
            <thead>
              <tr>
                <th>Name</th>
                <th>Version</th>
                <th>Saved</th>
                <th>Runs</th>
              </tr>
            </thead>
            <tbody>
              {data?.map((line) => (
                <tr key={line.name}>
                  <td>
                    <strong>
                      <Foreign text={line.name} />
                    </strong>{' '}
                    {line.draft ? <span className="badge wait">draft</span> : null}
                    <div className="soft">
                      <Foreign text={line.description ?? ''} />
                    </div>
                  </td>
                  <td className="number">{line.version}</td>
                  <td>{line.saved_at === undefined ? null : <Ago at={line.saved_at} />}</td>
                  <td>
                    <Link to="/runs" search={{ workflow: line.name }}>
                      Runs
                    </Link>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Page>
  )
}
