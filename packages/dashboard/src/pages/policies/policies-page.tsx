import { EmptyState } from '../../ui/empty-state.tsx'
import { Page } from '../../ui/page.tsx'

export function PoliciesPage() {
  return (
    <Page title="Policies">
      <EmptyState title="No policy yet" command="statewright policy explain --tool Bash">
        A policy says what may be called by whom, how often and for how much.
      </EmptyState>
    </Page>
  )
}
