import { type Config, endpoints } from '@statewright/core/wire'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/client/client.ts'
import { configQuery } from '../../api/resources/settings.ts'
import { waitingKind } from '../../model/app/waiting-change.ts'
import { plainText, plainValue } from '../../model/words/plain-text.ts'
import { Confirm } from '../../ui/dialogs/confirm.tsx'
import { Mark } from '../../ui/values/mark.tsx'

type Waiting = NonNullable<Config['waiting']>

/** What loosens, starts programs or meets live runs does not count until somebody accepts. */
export function WaitingConfig() {
  const waiting = useQuery(configQuery).data?.waiting ?? null
  const [isConfirming, setConfirming] = useState(false)
  if (waiting === null) return null
  const kind = waitingKind(waiting.changes)
  return (
    <section className="panel" aria-label="A change of the configuration is waiting">
      <header>
        <h2>A change of the configuration is waiting</h2>
        <button type="button" className="button" onClick={() => setConfirming(true)}>
          Accept…
        </button>
      </header>
      <div className="body">
        <Changes waiting={waiting} />
      </div>
      {isConfirming ? (
        <Confirm
          title="Accept the change"
          description={acceptWords[kind]}
          word="Accept the change"
          act={() => call(endpoints.acceptConfig, { body: { hash: waiting.hash } })}
          done="The change is in effect"
          isDangerous={kind !== 'other'}
          onClose={() => setConfirming(false)}
        >
          <Changes waiting={waiting} />
        </Confirm>
      ) : null}
    </section>
  )
}

function Changes({ waiting }: { readonly waiting: Waiting }) {
  return (
    <dl className="facts">
      {waiting.changes.map(({ key, from, to, loosens }) => (
        <div key={key} className="context-field">
          <dt>{key}</dt>
          <dd>
            <del>{plainValue(from ?? 'nothing', 300)}</del> → {plainValue(to ?? 'nothing', 300)}
            {loosens === null ? null : (
              <p className="bad">
                <Mark name="danger" /> {plainText(loosens)}
              </p>
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}

const acceptWords = {
  programs: 'The server uses this from now on. You confirm it with your passkey or PIN.',
  looser: 'This removes protection from the next call on. You confirm it with your passkey or PIN.',
  other: 'It takes effect with the next call.',
} as const
