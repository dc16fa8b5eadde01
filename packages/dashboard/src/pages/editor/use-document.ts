import type { DefinitionKind } from '@statewright/core/wire'
import { useCallback, useEffect, useState } from 'react'
import type { DefinitionText } from '../../api/resources/definitions.ts'
import { draftKey, keepDraft, readDraft } from '../suggest/saved-draft.ts'

/** The text on screen, what it began with, and whether the two differ. */
export interface OpenDocument {
  readonly text: string
  readonly base: string
  readonly baseHash: string
  readonly isChanged: boolean
  /** When the text was kept, if it comes from an earlier visit. */
  readonly restoredFrom: number | null
  readonly setText: (text: string) => void
  readonly discard: () => void
  /** The server has it now. */
  readonly wasSaved: (text: string, hash: string) => void
  /** Counts requests to save that came by key. */
  readonly saveRequests: number
  readonly askToSave: () => void
}

/** Keeps what is not saved in the browser, so that no closed tab costs work. */
export function useDocument(
  kind: DefinitionKind,
  name: string,
  saved: DefinitionText | undefined,
  firstText: string,
): OpenDocument {
  const key = draftKey(kind, name)
  const [base, setBase] = useState({ text: saved?.text ?? firstText, hash: saved?.hash ?? '' })
  const [kept] = useState(() => readDraft(key))
  const [text, setText] = useState(kept?.text ?? base.text)
  const [restoredFrom, setRestored] = useState(
    kept !== null && kept.text !== base.text ? kept.at : null,
  )
  const [saveRequests, setSaveRequests] = useState(0)
  const isChanged = text !== base.text
  useEffect(() => {
    keepDraft(key, isChanged ? { text, baseHash: base.hash, at: Date.now() } : null)
  }, [key, text, base, isChanged])
  const askToSave = useCallback(() => setSaveRequests((times) => times + 1), [])
  return {
    text,
    base: base.text,
    // A kept text may have begun with an older version than the one that was read now.
    baseHash: restoredFrom === null ? base.hash : (kept?.baseHash ?? base.hash),
    isChanged,
    restoredFrom,
    setText,
    discard: () => {
      setText(base.text)
      setRestored(null)
      keepDraft(key, null)
    },
    wasSaved: (savedText, hash) => {
      setBase({ text: savedText, hash })
      setRestored(null)
    },
    saveRequests,
    askToSave,
  }
}
