import { endpoints, type Memory, type MemoryLine } from '@statewright/core/wire'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../../api/client/client.ts'
import { problemOf } from '../../api/client/problem.ts'
import { memoryQuery, readMemory } from '../../api/resources/notebook.ts'
import { plainText } from '../../model/words/plain-text.ts'
import { bytes } from '../../model/words/words.ts'
import { Confirm } from '../../ui/dialogs/confirm.tsx'
import { toast } from '../../ui/dialogs/toasts.tsx'
import { ProblemNote } from '../../ui/page/problem-note.tsx'
import { Foreign } from '../../ui/values/foreign-text.tsx'
import { Ago } from '../../ui/values/when.tsx'

type Draft = Pick<Memory, 'key' | 'value' | 'tags'>

const nothing: Draft = { key: '', value: '', tags: [] }

export function MemoryList(props: { readonly project: string; readonly find: string }) {
  const { project, find } = props
  const { data, error } = useQuery(memoryQuery(project, find))
  const [editing, setEditing] = useState<Draft | null>(null)
  // The address follows a moment later; a field that waited for it would lose letters.
  const [typed, setTyped] = useState(find)
  const navigate = useNavigate()
  const open = async (key: string) => {
    try {
      setEditing(await readMemory(project, key))
    } catch (fault) {
      toast('bad', 'Not found', problemOf(fault).message)
    }
  }
  return (
    <section className="panel" aria-label="Memory">
      <header>
        <h2>Memory</h2>
        <button type="button" className="button small" onClick={() => setEditing(nothing)}>
          Add memory
        </button>
      </header>
      <div className="body stack">
        <label className="field">
          <span className="visually-hidden">Search memory</span>
          <input
            value={typed}
            maxLength={200}
            placeholder="Search"
            onChange={({ target: { value } }) => {
              setTyped(value)
              void navigate({
                to: '/memory',
                search: { project, ...(value === '' ? {} : { find: value }) },
                replace: true,
              })
            }}
          />
        </label>
        {error === null ? null : <ProblemNote problem={problemOf(error)} />}
        {data?.length === 0 ? (
          <p className="soft">
            {find === '' ? 'Nothing is stored yet.' : 'Nothing contains these words.'}
          </p>
        ) : null}
        <ul className="lines">
          {data?.map((line) => (
            <MemoryEntry key={line.key} line={line} onOpen={() => void open(line.key)} />
          ))}
        </ul>
      </div>
      {editing === null ? null : (
        <MemoryDialog project={project} memory={editing} onClose={() => setEditing(null)} />
      )}
    </section>
  )
}

function MemoryEntry(props: { readonly line: MemoryLine; readonly onOpen: () => void }) {
  const { line, onOpen } = props
  return (
    <li>
      <button type="button" className="line memory-line" onClick={onOpen}>
        <strong className="foreign">{plainText(line.key, 100)}</strong>
        <span className="line-text soft small-text">
          <Foreign text={line.excerpt} max={200} />
        </span>
        <span className="soft small-text number">
          {bytes(line.bytes)} · <Ago at={line.updated_at} />
        </span>
      </button>
    </li>
  )
}

function MemoryDialog(props: {
  readonly project: string
  readonly memory: Draft
  readonly onClose: () => void
}) {
  const { project, memory, onClose } = props
  const isNew = memory.key === ''
  const [key, setKey] = useState(memory.key)
  const [value, setValue] = useState(memory.value)
  const which = { params: { key: key.trim() }, query: { project } }
  const keep = () => call(endpoints.setMemory, { ...which, body: { value, tags: memory.tags } })
  const forget = { word: 'Forget it', act: () => call(endpoints.deleteMemory, which) }
  return (
    <Confirm
      title={isNew ? 'Add memory' : plainText(memory.key, 80)}
      word="Keep"
      act={keep}
      changes={['memory', project]}
      isReady={key.trim() !== ''}
      other={isNew ? undefined : forget}
      onClose={onClose}
    >
      {isNew ? (
        <label className="field">
          <span>Key</span>
          <input value={key} maxLength={200} onChange={(event) => setKey(event.target.value)} />
        </label>
      ) : null}
      <label className="field">
        <span>Text</span>
        <textarea
          className="memory-text"
          value={value}
          onChange={(event) => setValue(event.target.value)}
        />
      </label>
    </Confirm>
  )
}
