import { Page } from '../../ui/page.tsx'

export function ApprovalsPage() {
  return <Page title="approvals">{null}</Page>
}
