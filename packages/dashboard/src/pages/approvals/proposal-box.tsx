import type { Approval } from '@statewright/core/wire'
import { lazy, type RefObject, Suspense } from 'react'
import { callArguments } from '../../model/call-arguments.ts'
import { Mark } from '../../ui/mark.tsx'
import { WholeBox } from '../../ui/whole-box.tsx'

const marks = { plain: '', removed: '− ', added: '+ ' } as const

/** All that the decision lets happen: the arguments of the call, or the fields of the move. */
export function ProposalBox(props: {
  readonly approval: Approval
  readonly onRead?: () => void
  readonly box?: RefObject<HTMLElement | null>
}) {
  const { approval, onRead, box } = props
  const { input, data, input_more: more = 0 } = approval
  if (input === undefined && data === undefined) return null
  const label = input === undefined ? 'Fields that are written' : 'Arguments of the call'
  return (
    <div className="stack">
      <h3>{label}</h3>
      <WholeBox label={label} onRead={onRead} box={box}>
        <dl className="proposal">
          {callArguments(input ?? data).map(({ name, text, tone }) => (
            <div key={name} className={`proposal-part is-${tone}`}>
              <dt className="small-text foreign">
                {marks[tone]}
                {name}
              </dt>
              <dd>
                <ArgumentText isCommand={name === 'command'} text={text} />
              </dd>
            </div>
          ))}
        </dl>
      </WholeBox>
      {more === 0 ? null : (
        <p className="note bad">
          <Mark name="danger" /> Too long to be kept whole: {more.toLocaleString('en')} more
          characters are not shown.
        </p>
      )}
    </div>
  )
}

// Knows every program: it comes after the words themselves, which are there at once.
const CommandText = lazy(async () => ({
  default: (await import('./command-text.tsx')).CommandText,
}))

function ArgumentText({ isCommand, text }: { readonly isCommand: boolean; readonly text: string }) {
  const plain = <pre className="foreign">{text}</pre>
  if (!isCommand) return plain
  return (
    <Suspense fallback={plain}>
      <CommandText command={text} />
    </Suspense>
  )
}
