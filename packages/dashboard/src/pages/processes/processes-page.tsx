import { DefinitionList } from '../definitions/definition-list.tsx'

export function ProcessesPage() {
  return (
    <DefinitionList
      kind="process"
      title="Processes"
      subtitle="Questions that an agent must answer, one after the other."
      about="A process asks an agent questions; the answers decide what follows."
    />
  )
}
