import { DefinitionList } from '../definitions/definition-list.tsx'

export function WorkflowsPage() {
  return (
    <DefinitionList
      kind="workflow"
      title="Workflows"
      subtitle="What agents may do, state by state."
      about="A workflow says which tools an agent may use in each state, and how it moves on."
    />
  )
}
