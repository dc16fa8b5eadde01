import { endpoints, type Token } from '@statewright/core/wire'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/client/client.ts'
import { problemOf } from '../../api/client/problem.ts'
import { tokensQuery } from '../../api/resources/settings.ts'
import { Confirm } from '../../ui/dialogs/confirm.tsx'
import { Modal } from '../../ui/dialogs/dialog.tsx'
import { toast } from '../../ui/dialogs/toasts.tsx'
import { CommandLine } from '../../ui/page/command-line.tsx'
import { ProblemNote } from '../../ui/page/problem-note.tsx'
import { Foreign } from '../../ui/values/foreign-text.tsx'
import { Ago } from '../../ui/values/when.tsx'

export function Tokens() {
  const { data, error } = useQuery(tokensQuery)
  const [isMaking, setMaking] = useState(false)
  const [secret, setSecret] = useState<string | null>(null)
  const client = useQueryClient()
  const revoke = async ({ id, name }: Token) => {
    try {
      await call(endpoints.revokeToken, { params: { id } })
      toast('plain', `Revoked: ${name.slice(0, 60)}`)
    } catch (fault) {
      toast('bad', 'Not revoked', problemOf(fault).message)
    }
    await client.invalidateQueries({ queryKey: ['tokens'] })
  }
  return (
    <section className="panel">
      <header>
        <h2>Tokens</h2>
        <button type="button" className="button small" onClick={() => setMaking(true)}>
          New token
        </button>
      </header>
      {error === null ? null : <ProblemNote problem={problemOf(error)} />}
      <div className="scroll-x">
        <table className="table tokens">
          <thead>
            <tr>
              <th>Name</th>
              <th>Kind</th>
              <th>Role</th>
              <th>Created</th>
              <th>Action</th>
            </tr>
          </thead>
          <tbody>
            {data?.map((token) => (
              <TokenRow key={token.id} token={token} onRevoke={() => void revoke(token)} />
            ))}
          </tbody>
        </table>
      </div>
      {isMaking ? <NewToken onMade={setSecret} onClose={() => setMaking(false)} /> : null}
      {secret === null || isMaking ? null : (
        <Secret text={secret} onClose={() => setSecret(null)} />
      )}
    </section>
  )
}

function TokenRow(props: { readonly token: Token; readonly onRevoke: () => void }) {
  const { token, onRevoke } = props
  return (
    <tr>
      <td>
        <Foreign text={token.name} max={60} />
      </td>
      <td>{token.kind}</td>
      <td>
        <Foreign text={token.role} max={60} />
      </td>
      <td>
        <Ago at={token.created_at} />
      </td>
      <td>
        {token.revoked_at === null ? (
          <button
            type="button"
            className="button small danger"
            aria-label={`Revoke ${token.name.slice(0, 60)}`}
            onClick={onRevoke}
          >
            Revoke
          </button>
        ) : (
          'revoked'
        )}
      </td>
    </tr>
  )
}

const kinds = [
  ['hook', 'hook: asks for decisions'],
  ['agent', 'agent: also moves its own runs'],
  ['person', 'person: another login for you, for 30 days'],
] as const

function NewToken(props: {
  readonly onMade: (secret: string) => void
  readonly onClose: () => void
}) {
  const [name, setName] = useState('')
  const [kind, setKind] = useState<(typeof kinds)[number][0]>('hook')
  const make = async () => {
    const body = { kind, ...(name.trim() === '' ? {} : { name: name.trim() }) }
    const made = await call(endpoints.createToken, { body })
    props.onMade(made.token)
  }
  return (
    <Confirm
      title="New token"
      word="Create token"
      act={make}
      changes={['tokens']}
      onClose={props.onClose}
    >
      <label className="field">
        <span>Name</span>
        <input value={name} maxLength={100} onChange={(event) => setName(event.target.value)} />
      </label>
      <label className="field">
        <span>Kind</span>
        <select
          value={kind}
          onChange={(event) => setKind(kinds[event.target.selectedIndex]?.[0] ?? 'hook')}
        >
          {kinds.map(([value, word]) => (
            <option key={value} value={value}>
              {word}
            </option>
          ))}
        </select>
      </label>
    </Confirm>
  )
}

function Secret(props: { readonly text: string; readonly onClose: () => void }) {
  return (
    <Modal isOpen onClose={props.onClose} title="The token" description="It is shown only once.">
      <CommandLine text={props.text} />
      <div className="actions">
        <button type="button" className="button primary" onClick={props.onClose}>
          Done
        </button>
      </div>
    </Modal>
  )
}
