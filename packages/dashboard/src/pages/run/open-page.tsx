import { Page } from '../../ui/page.tsx'

export function OpenPage() {
  return <Page title="run">{null}</Page>
}
