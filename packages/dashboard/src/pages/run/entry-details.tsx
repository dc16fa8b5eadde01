import { textOf } from '@statewright/core/internal'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { callQuery } from '../../api/resources/entries.ts'
import { valueAtPath } from '../../model/definitions/definition-path.ts'
import type { PlacedEntry } from '../../model/history/recorded-run.ts'
import { entryWords } from '../../model/words/entry-words.ts'
import type { FailedCondition } from '../../model/words/failed-conditions.ts'
import { plainText } from '../../model/words/plain-text.ts'
import { Foreign, ForeignBlock } from '../../ui/values/foreign-text.tsx'
import { GuardList } from '../../ui/values/guard-list.tsx'
import { Mark } from '../../ui/values/mark.tsx'
import { ConditionNote } from './condition-note.tsx'

/** One entry with its reasons: which rule spoke, and where in the definition it stands. */
export function EntryDetails(props: {
  readonly runId: string | undefined
  readonly entry: PlacedEntry
  readonly definition: unknown
  readonly suggestion: ReactNode
  readonly failed: ReadonlyMap<string, FailedCondition>
}) {
  const { runId, entry, definition, suggestion, failed } = props
  const { title, detail, tone, mark } = entryWords(entry)
  const reasons = entry.type === 'call_decided' ? entry.reasons : []
  const guards = 'guards' in entry ? (entry.guards ?? []) : []
  const data = 'data' in entry ? entry.data : undefined
  const rationale = 'rationale' in entry ? entry.rationale : undefined
  return (
    <section className="panel" aria-label="Selected entry">
      <header>
        <h2>
          <span aria-hidden="true" className={tone}>
            <Mark name={mark} />
          </span>{' '}
          <Foreign text={title} max={200} />
        </h2>
        <span className="soft small-text">
          entry {entry.seq} · {new Date(entry.at).toLocaleString()}
          {entry.cause === undefined ? '' : ` · by ${plainText(entry.cause.by.id, 60)}`}
        </span>
      </header>
      <div className="body stack">
        {detail !== '' && reasons.length === 0 ? <Foreign text={detail} max={2000} /> : null}
        {reasons.map((reason) => {
          const condition = failed.get(reason.path)
          return (
            <div key={reason.path + reason.code} className="note bad">
              <p>
                <code>{reason.code}</code>{' '}
                {condition === undefined ? (
                  <Foreign text={textOf(reason.message)} max={1000} />
                ) : null}
              </p>
              {condition === undefined ? null : <ConditionNote failed={condition} />}
              <RulePath
                path={reason.path}
                definition={condition === undefined ? definition : undefined}
              />
            </div>
          )
        })}
        {suggestion}
        {guards.length === 0 ? null : <GuardList guards={guards} />}
        {rationale === undefined ? null : <Foreign text={rationale} max={2000} />}
        {data === undefined || Object.keys(data).length === 0 ? null : (
          <ForeignBlock value={data} label="Data" />
        )}
        {entry.type === 'call_decided' && runId !== undefined ? (
          <CallArguments runId={runId} callId={entry.call_id} />
        ) : null}
      </div>
    </section>
  )
}

function RulePath(props: { readonly path: string; readonly definition: unknown }) {
  const { path, definition } = props
  if (path === '') return null
  const value = valueAtPath(definition, path)
  return (
    <p className="small-text">
      <span className="soft">rule: </span>
      <code className="foreign">{plainText(path, 300)}</code>
      {value === undefined ? null : (
        <code className="foreign soft"> {plainText(JSON.stringify(value), 400)}</code>
      )}
    </p>
  )
}

function CallArguments(props: { readonly runId: string; readonly callId: string }) {
  const call = useQuery(callQuery(props.runId, props.callId)).data
  if (call === undefined) return null
  return (
    <div className="stack">
      <h3>Arguments</h3>
      <ForeignBlock value={call.input} label="Arguments" />
      {call.output === undefined ? null : (
        <>
          <h3>Output</h3>
          <ForeignBlock value={call.output} label="Output" />
        </>
      )}
    </div>
  )
}
