import type { GuardReading, ShownReading } from '@statewright/core/internal'
import { madeWords } from '../../model/words/made-words.ts'
import { plainValue } from '../../model/words/plain-text.ts'
import { Foreign } from './foreign-text.tsx'
import { Mark } from './mark.tsx'

/** Guards with the values they read. */
export function GuardList({
  guards,
}: {
  readonly guards: readonly (GuardReading | ShownReading)[]
}) {
  return (
    <ul className="stack">
      {guards.map((guard, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: guards have no other name of their own.
        <li key={index} className="small-text foreign">
          <span className={guard.passed ? 'good' : 'bad'}>
            <Mark name={guard.passed ? 'done' : 'no'} />
          </span>{' '}
          <strong>
            <Foreign text={guard.guard} max={80} />
          </strong>{' '}
          needs <Foreign text={madeWords(guard.wants)} max={200} />, reads{' '}
          <code>{plainValue(guard.saw, 200)}</code>
          <span className="soft"> · {guard.path}</span>
        </li>
      ))}
    </ul>
  )
}
