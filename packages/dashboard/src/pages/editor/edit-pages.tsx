import type { DefinitionKind } from '@statewright/core/wire'
import { useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import { problemOf } from '../../api/client/problem.ts'
import { definitionQuery, templatesQuery } from '../../api/resources/definitions.ts'
import { emptyProcess, emptyWorkflow, example } from '../../model/definitions/example.ts'
import { Page } from '../../ui/page/page.tsx'
import { ProblemNote } from '../../ui/page/problem-note.tsx'
import { Editor } from './editor.tsx'

export function WorkflowEditPage() {
  return <EditPage kind="workflow" name={useParams({ from: '/workflows/$name/edit' }).name} />
}

export function ProcessEditPage() {
  return <EditPage kind="process" name={useParams({ from: '/processes/$name/edit' }).name} />
}

function EditPage({ kind, name }: { readonly kind: DefinitionKind; readonly name: string }) {
  const { data, error } = useQuery(definitionQuery(kind, name))
  if (data === undefined) {
    return (
      <Page title={name}>
        {error === null ? (
          <p className="soft">Reading…</p>
        ) : (
          <ProblemNote problem={problemOf(error)} />
        )}
      </Page>
    )
  }
  return <Editor key={`${kind} ${name}`} kind={kind} name={name} saved={data} />
}

/** An editor for a text that is nowhere yet: the address to try something without saving it. */
export function PlaygroundPage() {
  const { template } = useSearch({ from: '/playground' })
  const templates = useQuery({ ...templatesQuery, enabled: template !== undefined })
  const known = templates.data?.find(({ name }) => name === template)
  const text = known?.text ?? ownTexts[template ?? ''] ?? example
  const kind: DefinitionKind =
    known?.kind ?? (template === 'empty-process' ? 'process' : 'workflow')
  if (template !== undefined && templates.isPending) return <p className="page soft">Reading…</p>
  return <Editor key={template ?? ''} kind={kind} name={null} begunWith={template} text={text} />
}

const ownTexts: Readonly<Record<string, string>> = {
  empty: emptyWorkflow,
  'empty-process': emptyProcess,
}
