import type { Passkey } from '@statewright/core/wire'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { type ApiProblem, problemOf } from '../../api/client/problem.ts'
import { addPasskey, hasPasskeys, passkeysQuery, removePasskey } from '../../api/proof/passkeys.ts'
import { toast } from '../../ui/dialogs/toasts.tsx'
import { ProblemNote } from '../../ui/page/problem-note.tsx'
import { NotHere } from '../../ui/proof/passkey-dialog.tsx'
import { Foreign } from '../../ui/values/foreign-text.tsx'
import { Ago } from '../../ui/values/when.tsx'

/** The passkeys of the person who looks: anyone who has a proof adds and removes them. */
export function Passkeys() {
  const { data, error } = useQuery(passkeysQuery)
  const client = useQueryClient()
  const [name, setName] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<ApiProblem | null>(null)
  const attempt = async (act: () => Promise<void>) => {
    setBusy(true)
    setProblem(null)
    try {
      await act()
    } catch (fault) {
      setProblem(problemOf(fault))
    }
    setBusy(false)
    await client.invalidateQueries({ queryKey: ['passkeys'] })
  }
  const add = (event: FormEvent) => {
    event.preventDefault()
    void attempt(async () => {
      await addPasskey(name)
      setName('')
      toast('plain', 'The passkey was added')
    })
  }
  const remove = (passkey: Passkey) =>
    attempt(async () => {
      await removePasskey(passkey.id)
      toast('plain', `Removed: ${passkey.name.slice(0, 60)}`)
    })
  return (
    <section className="panel" aria-labelledby="passkeys-title">
      <header>
        <h2 id="passkeys-title">Passkeys</h2>
      </header>
      {error === null ? null : <ProblemNote problem={problemOf(error)} />}
      {data === undefined || data.length === 0 ? null : (
        <PasskeyTable passkeys={data} isBusy={isBusy} onRemove={(one) => void remove(one)} />
      )}
      <div className="body stack">
        <p className="soft">
          A passkey confirms that it is you, as the PIN does: by your fingerprint, your face or a
          security key. Wrong PINs never lock it.
        </p>
        {hasPasskeys() ? (
          <form className="stack" onSubmit={add}>
            <label className="field">
              <span>Name of a new passkey</span>
              <input
                value={name}
                maxLength={100}
                placeholder="such as the device that it is on"
                onChange={(event) => setName(event.target.value)}
              />
            </label>
            <div className="row">
              <button type="submit" className="button" disabled={isBusy}>
                Add a passkey
              </button>
            </div>
          </form>
        ) : (
          <NotHere />
        )}
        {problem === null ? null : <ProblemNote problem={problem} />}
      </div>
    </section>
  )
}

function PasskeyTable(props: {
  readonly passkeys: readonly Passkey[]
  readonly isBusy: boolean
  readonly onRemove: (passkey: Passkey) => void
}) {
  const { passkeys, isBusy, onRemove } = props
  return (
    <div className="scroll-x">
      <table className="table">
        <thead>
          <tr>
            <th>Name</th>
            <th>For</th>
            <th>Created</th>
            <th>Last used</th>
            <th>Change</th>
          </tr>
        </thead>
        <tbody>
          {passkeys.map((passkey) => (
            <tr key={passkey.id}>
              <td>
                <Foreign text={passkey.name} max={60} />
              </td>
              <td>{passkey.host}</td>
              <td>
                <Ago at={passkey.created_at} />
              </td>
              <td>{passkey.used_at === null ? 'never' : <Ago at={passkey.used_at} />}</td>
              <td>
                <button
                  type="button"
                  className="button small danger"
                  disabled={isBusy}
                  aria-label={`Remove ${passkey.name.slice(0, 60)}`}
                  onClick={() => onRemove(passkey)}
                >
                  Remove
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
