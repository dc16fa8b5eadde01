import { useEffect, useMemo, useState } from 'react'
import {
  type ReadClaims,
  readClaims,
  type ShownClaim,
  unanswered,
} from '../../model/definitions/claims.ts'
import type { ProveReply, ProveRequest } from './prove-worker.ts'
import type { TextReading } from './use-reading.ts'

/** Claims about the text in the editor, with their answers as they come. */
export interface EditorClaims {
  readonly shown: readonly ShownClaim[]
  readonly refuted: number
  /** Those that a person has written here. */
  readonly text: string
  readonly setText: (text: string) => void
  readonly read: ReadClaims
}

export function useClaims(
  { program, text: definition }: TextReading,
  settings: Readonly<Record<string, unknown>> | undefined,
): EditorClaims {
  const [text, setText] = useState('')
  const read = useMemo(() => readClaims(text), [text])
  const { claims } = read
  const [shown, setShown] = useState<readonly ShownClaim[]>([])
  useEffect(() => {
    setShown(program === null ? [] : unanswered(claims))
    if (program === null) return
    // A text that changes ends what was looked for in the one before.
    const worker = new Worker(new URL('./prove-worker.ts', import.meta.url), { type: 'module' })
    worker.addEventListener('message', ({ data }: MessageEvent<ProveReply>) => {
      setShown((before) =>
        before.map((one, index) => (index === data.index ? { ...one, answer: data.answer } : one)),
      )
    })
    const request: ProveRequest = { text: definition, claims, settings: settings ?? {} }
    worker.postMessage(request)
    return () => worker.terminate()
  }, [program, definition, claims, settings])
  const refuted = shown.filter(({ answer }) => answer?.verdict.startsWith('refuted')).length
  return { shown, refuted, text, setText, read }
}
