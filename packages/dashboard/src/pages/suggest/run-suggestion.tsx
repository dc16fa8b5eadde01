import type { RunSnapshot } from '@statewright/core/internal'
import type { DefinitionKind } from '@statewright/core/wire'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { problemOf } from '../../api/client/problem.ts'
import { definitionQuery } from '../../api/resources/definitions.ts'
import type { ReadProgram } from '../../model/history/program-text.ts'
import type { PlacedEntry } from '../../model/history/recorded-run.ts'
import { compileWith, recordedDenial } from '../../model/suggest/recorded-denial.ts'
import { suggestChange } from '../../model/suggest/suggest-change.ts'
import { draftKey, keepDraft, readDraft } from './saved-draft.ts'
import { SuggestedChange } from './suggested-change.tsx'

/**
 * From a denial in a history to a rule: judged once more with the newest text of the definition, or
 * with what somebody has begun to write, so that applying it loses nothing.
 */
export function RunSuggestion(props: {
  readonly read: ReadProgram
  readonly entry: PlacedEntry
  readonly before: RunSnapshot | undefined
}) {
  const { read, entry, before } = props
  const navigate = useNavigate()
  const found = useMemo(() => recordedDenial(read, entry, before), [read, entry, before])
  const machine = found?.machine ?? ''
  const definition = read.definitions.get(machine)
  const kind: DefinitionKind = definition?.kind ?? 'workflow'
  const saved = useQuery({
    ...definitionQuery(kind, machine),
    enabled: found !== null,
    retry: false,
  })
  const isUnknown = saved.error !== null && problemOf(saved.error).status === 404
  const kept = useMemo(() => readDraft(draftKey(kind, machine)), [kind, machine])
  const text = isUnknown
    ? `${JSON.stringify(definition?.definition, null, 2)}\n`
    : (kept?.text ?? saved.data?.text)
  const suggestion = useMemo(() => {
    if (found === null || text === undefined) return null
    return suggestChange(text, (changed) => compileWith(read, machine, changed), found.denied)
  }, [found, text, read, machine])
  if (suggestion === null || text === undefined) return null
  const open = (changed: string) => {
    const draft = { text: changed, baseHash: kept?.baseHash ?? saved.data?.hash ?? '' }
    const key = draftKey(kind, isUnknown ? 'new.' : machine)
    keepDraft(key, { ...draft, at: Date.now() })
    if (isUnknown) void navigate({ to: '/playground' })
    else if (kind === 'workflow') {
      void navigate({ to: '/workflows/$name/edit', params: { name: machine } })
    } else void navigate({ to: '/processes/$name/edit', params: { name: machine } })
  }
  return (
    <SuggestedChange
      text={text}
      suggestion={suggestion}
      applyWord="Open the editor with this change"
      onApply={open}
    />
  )
}
