import {
  type Definition,
  definitionIn,
  type Finding,
  type Program,
  parseDefinition,
} from '@statewright/core/internal'
import { startTransition, useEffect, useMemo, useRef, useState } from 'react'
import { type RunGraph, runGraph } from '../../model/diagram/run-graph.ts'
import { readText } from '../../model/simulator/play.ts'
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

/** The second is for anyone who changed the text by a click and wants to see it at once. */
export function useReading(text: string): [TextReading, (text: string) => void] {
  const [settled, settle] = useSettled(text)
  const kept = useRef<Picture | null>(null)
  const reading = useMemo(() => {
    const read = readText(settled)
    const { findings, program } = read
    const definition = read.definition ?? definitionIn(parseDefinition(settled)) ?? null
    if (definition !== null) kept.current = keepSame(kept.current, definition)
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

interface Picture {
  readonly definition: Definition
  readonly graph: RunGraph
}

/** What is the same keeps its identity: for a comment nothing is drawn or laid out again. */
function keepSame(before: Picture | null, definition: Definition): Picture {
  if (before !== null && isSame(before.definition, definition)) return before
  const graph = runGraph(definition)
  return {
    definition,
    graph: before !== null && isSame(before.graph, graph) ? before.graph : graph,
  }
}

function isSame(one: object, other: object): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

function useSettled(text: string): [string, (text: string) => void] {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    // What follows is drawn in pieces, between which a key is answered.
    const timer = setTimeout(() => startTransition(() => setSettled(text)), quietMs)
    return () => clearTimeout(timer)
  }, [text])
  return [settled, setSettled]
}
