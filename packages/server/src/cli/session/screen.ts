import {
  type AgentUpdate,
  type AgentView,
  emptyAgentView,
  foldAgentUpdate,
} from '@statewright/core/internal'
import type { Session } from '@statewright/core/wire'
import { printJson } from '../command.ts'
import { newText } from '../output/session-lines.ts'

/** A session as it is shown: what was told so far, and how the last line stands. */
export class Screen {
  readonly #isJson: boolean
  readonly #typed: () => string | undefined
  #view: AgentView
  #isInLine = false

  constructor(
    { sessionId, kind, costUsd }: Session,
    how: { readonly json: boolean; readonly from: string; typed(): string | undefined },
  ) {
    const isWhole = how.from === '0'
    this.#view = { ...emptyAgentView(sessionId), ...(isWhole ? {} : { state: kind, costUsd }) }
    this.#isJson = how.json
    this.#typed = how.typed
  }

  get view(): AgentView {
    return this.#view
  }

  /** Shows an update; says whether the session stands otherwise by it. */
  show(update: AgentUpdate): boolean {
    const before = this.#view
    this.#view = foldAgentUpdate(before, update)
    if (this.#isJson) {
      printJson({ event: update.channel, data: update.event })
    } else {
      const shown = newText(before, this.#view, this.#isInLine, this.#typed())
      this.#isInLine = shown.isInLine
      process.stdout.write(shown.text)
    }
    return before.state !== this.#view.state
  }

  /** Something else is said: it begins on a line of its own. */
  endLine(): void {
    if (this.#isInLine) process.stdout.write('\n')
    this.#isInLine = false
  }
}
