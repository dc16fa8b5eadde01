import type { Approval, CommandMark } from '@statewright/core/wire'
import type { RefObject } from 'react'
import { callArguments } from '../../model/words/call-arguments.ts'
import { Mark } from '../../ui/values/mark.tsx'
import { WholeBox } from '../../ui/values/whole-box.tsx'
import { CommandText } from './command-text.tsx'

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
                <ArgumentText approval={approval} name={name} text={text} />
              </dd>
            </div>
          ))}
        </dl>
      </WholeBox>
      {more === 0 ? null : (
        <p className="note bad">
          <Mark name="danger" /> Too long to be stored in full: {more.toLocaleString('en')} more
          characters are not shown.
        </p>
      )}
    </div>
  )
}

function ArgumentText(props: {
  readonly approval: Approval
  readonly name: string
  readonly text: string
}) {
  const { approval, name, text } = props
  const command = name === 'command' ? commandOf(approval) : ''
  if (command === '') return <pre className="foreign">{text}</pre>
  return <CommandText command={command} marks={approval.marks ?? noMarks} />
}

const noMarks: readonly CommandMark[] = []

/** As it was sent: the marks count its characters. */
function commandOf({ input }: Approval): string {
  if (typeof input !== 'object' || input === null || !('command' in input)) return ''
  return typeof input.command === 'string' ? input.command : ''
}
