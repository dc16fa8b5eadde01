import { EmptyState } from '../../ui/empty-state.tsx'
import { Page } from '../../ui/page.tsx'

export function ActivityPage() {
  return (
    <Page title="Activity">
      <EmptyState title="Nothing has happened yet" command="statewright run list">
        Denials, transitions and approvals appear here as agents work.
      </EmptyState>
    </Page>
  )
}
