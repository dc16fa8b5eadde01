import {
  type Definition,
  definitionIn,
  type Finding,
  type Program,
  parseDefinition,
} from '@statewright/core/internal'
import { useEffect, useMemo, useRef, useState } from 'react'
import { readText } from '../../model/play.ts'
import { type RunGraph, runGraph } from '../../model/run-graph.ts'
import { type TextOffsets, textOffsets } from '../../model/text/offsets.ts'

/** What the text amounts to, a moment after the last key. */
export interface TextReading {
  readonly text: string
  readonly findings: readonly Finding[]
  readonly program: Program | null
  /** The last text that had a shape, so that a picture stays while somebody types. */
  readonly definition: Definition | null
  readonly graph: RunGraph | null
  readonly isPictureOld: boolean
  readonly offsets: TextOffsets
}

const quietMs = 150

/** The second is for whoever changed the text by a click and wants to see it at once. */
export function useReading(text: string): [TextReading, (text: string) => void] {
  const [settled, settle] = useSettled(text)
  const kept = useRef<{ readonly definition: Definition; readonly graph: RunGraph } | null>(null)
  const reading = useMemo(() => {
    const { findings, program } = readText(settled)
    const definition = definitionIn(parseDefinition(settled)) ?? null
    if (definition !== null) {
      const graph = runGraph(definition)
      // The same picture keeps its identity, so that nothing is laid out again for a comment.
      const isSame = JSON.stringify(kept.current?.graph) === JSON.stringify(graph)
      kept.current = { definition, graph: isSame && kept.current ? kept.current.graph : graph }
    }
    return {
      text: settled,
      findings,
      program,
      definition: kept.current?.definition ?? null,
      graph: kept.current?.graph ?? null,
      isPictureOld: definition === null && kept.current !== null,
      offsets: textOffsets(settled),
    }
  }, [settled])
  return [reading, settle]
}

function useSettled(text: string): [string, (text: string) => void] {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), quietMs)
    return () => clearTimeout(timer)
  }, [text])
  return [settled, setSettled]
}
