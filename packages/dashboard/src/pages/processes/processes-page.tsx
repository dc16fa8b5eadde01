import { useQuery } from '@tanstack/react-query'
import { problemOf } from '../../api/problem.ts'
import { processesQuery } from '../../api/queries.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Foreign } from '../../ui/foreign-text.tsx'
import { Page } from '../../ui/page.tsx'
import { ProblemNote } from '../../ui/problem-note.tsx'

export function ProcessesPage() {
  const { data, error } = useQuery(processesQuery)
  return (
    <Page title="Processes" subtitle="Questions that an agent must answer, one after the other.">
      {error === null ? null : <ProblemNote problem={problemOf(error)} />}
      {data?.length === 0 ? (
        <EmptyState title="No process yet" command="statewright workflow push process.json">
          A process asks one question at a time, and each answer leads to the next.
        </EmptyState>
      ) : (
        <div className="panel scroll-x">
          <table className="table">
            <thead>
              <tr>
                <th>Name</th>
                <th>Version</th>
                <th>Changed</th>
              </tr>
            </thead>
            <tbody>
              {data?.map((line) => (
                <tr key={line.id}>
                  <td>
                    <strong>
                      <Foreign text={line.name} />
                    </strong>
                    <div className="soft">
                      <Foreign text={line.description ?? ''} />
                    </div>
                  </td>
                  <td className="number">{line.version}</td>
                  <td>{new Date(line.updatedAt).toLocaleString()}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Page>
  )
}
