import { Tabs } from '@base-ui/react/tabs'
import type { DefinitionKind } from '@statewright/core/wire'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { type DefinitionText, schemaQuery } from '../../api/resources/definitions.ts'
import { configQuery } from '../../api/resources/settings.ts'
import { pathNames } from '../../model/definitions/definition-path.ts'
import { edgePath } from '../../model/diagram/edge-path.ts'
import type { RunGraph } from '../../model/diagram/run-graph.ts'
import { type RunMarks, runMarks } from '../../model/diagram/run-marks.ts'
import { configuredPrograms } from '../../model/simulator/play.ts'
import { isTried, now } from '../../model/simulator/simulation.ts'
import { Page } from '../../ui/page/page.tsx'
import { ClaimsPanel } from './claims-panel.tsx'
import { CodeEditor, type EditorCallbacks } from './code-editor.tsx'
import { EditorPicture } from './editor-picture.tsx'
import { FindingList } from './finding-list.tsx'
import { LeaveDialog } from './leave-dialog.tsx'
import { SaveBar } from './save-bar.tsx'
import { Simulator } from './simulator.tsx'
import { StatePanel } from './state-panel.tsx'
import { useClaims } from './use-claims.ts'
import { type OpenDocument, useDocument } from './use-document.ts'
import { type TextReading, useReading } from './use-reading.ts'
import { useSimulation } from './use-simulation.ts'
import { useStable } from './use-stable.ts'
import './editor.css'

const TextDiff = lazy(async () => ({ default: (await import('./text-diff.tsx')).TextDiff }))

/** From the picture or the fields the text is shown, and the keyboard stays where it is. */
const quiet = { isQuiet: true } as const

type TextPath = readonly (string | number)[]
type Tab = 'state' | 'simulate' | 'claims' | 'changes'

/** A definition as text and as a picture, with its fields and a run to try it on. */
export function Editor(props: {
  readonly kind: DefinitionKind
  readonly name: string | null
  readonly saved?: DefinitionText
  readonly begunWith?: string | undefined
  readonly text?: string
}) {
  const { kind, name, saved } = props
  const file = useDocument(kind, name ?? `new.${props.begunWith ?? ''}`, saved, props.text ?? '')
  const [reading, settle] = useReading(file.text)
  const { currentText, setText } = useTextAccess(file, settle)
  const schema = useQuery(schemaQuery(kind)).data
  const callbacks = useRef<EditorCallbacks | null>(null)
  const [cursor, setCursor] = useState(0)
  const [tab, setTab] = useState<Tab>('state')
  const [picked, setPicked] = useState<string | null>(null)
  const [goal, setGoal] = useState<string | null>(null)
  const settings = useQuery(configQuery).data?.settings
  const programs = useMemo(() => settings && configuredPrograms(settings), [settings])
  const simulation = useSimulation(reading.program, programs)
  const claims = useClaims(reading, settings)
  const { definition, graph, offsets } = reading
  // The picture and the fields follow the cursor when the key that moved it is on screen.
  const state = useDeferredValue(offsets.stateAt(cursor) ?? picked ?? undefined)
  const goTo = useStable((path: TextPath, options?: { readonly isQuiet: boolean }) => {
    const span = offsets.find(path)
    if (span !== undefined) callbacks.current?.goTo(span, options)
  })
  const goToPath = (path: string) => goTo(pathNames(definition?.definition, path))
  const goToState = useStable((chosen: string) => {
    setPicked(chosen)
    setGoal(chosen)
  })
  const goToEdge = useStable((from: string, to: string) => {
    const path = definition && edgePath(definition, from, to)
    if (path) goTo(path, quiet)
  })
  useGoal(goal, reading, file.text, () => {
    setGoal(null)
    goTo(['states', goal ?? ''], quiet)
  })
  const marks = useSimulationMarks(simulation, tab === 'simulate', graph)
  const title = name ?? 'Playground'
  return (
    <Page
      title={title}
      subtitle={
        saved === undefined
          ? 'Write, look and try. Nothing is stored or sent until you save it.'
          : `${kind} · version ${saved.version}${saved.draft ? ' · draft by an agent' : ''}`
      }
      actions={<SaveBar kind={kind} name={name} saved={saved} file={file} reading={reading} />}
    >
      <div className="editor">
        <TextPanel {...{ file, reading, title, schema, callbacks }} onCursor={setCursor} />
        <div className="editor-side">
          <section className="panel editor-graph" aria-label="States">
            {graph === null || definition === null ? (
              <p className="soft body">Add a state to see the diagram.</p>
            ) : (
              <EditorPicture
                {...{ definition, graph, marks, callbacks }}
                chosen={state}
                isOld={reading.isPictureOld}
                currentText={currentText}
                onText={setText}
                onState={goToState}
                onEdge={goToEdge}
              />
            )}
          </section>
          <Tabs.Root
            className="panel editor-tabs"
            value={tab}
            onValueChange={(value: Tab) => setTab(value)}
          >
            <TabList isChanged={file.isChanged} refuted={claims.refuted} />
            <Tabs.Panel value="state" className="body">
              <StatePanel
                definition={definition}
                currentText={currentText}
                state={state}
                onState={goToState}
                onText={setText}
                onGo={goTo}
              />
            </Tabs.Panel>
            <Tabs.Panel value="simulate" className="body">
              <Simulator
                simulation={simulation}
                text={reading.text}
                definition={definition}
                onText={setText}
                onPath={goToPath}
              />
            </Tabs.Panel>
            <Tabs.Panel value="claims" className="body">
              <ClaimsPanel
                claims={claims}
                onShow={(moves) => {
                  simulation.show(moves.filter(isTried))
                  setTab('simulate')
                }}
              />
            </Tabs.Panel>
            <Tabs.Panel value="changes">
              <Changes file={file} />
            </Tabs.Panel>
          </Tabs.Root>
        </div>
      </div>
      <LeaveDialog file={file} />
    </Page>
  )
}

/** The text with what is wrong in it. */
function TextPanel(props: {
  readonly file: OpenDocument
  readonly reading: TextReading
  readonly title: string
  readonly schema: Parameters<typeof CodeEditor>[0]['schema']
  readonly callbacks: Parameters<typeof CodeEditor>[0]['callbacks']
  readonly onCursor: (offset: number) => void
}) {
  const { file, reading, title, schema, callbacks, onCursor } = props
  return (
    <section className="panel editor-text" aria-label="Definition">
      <CodeEditor
        text={file.text}
        label={`Text of ${title}`}
        findings={reading.findings}
        schema={schema}
        callbacks={callbacks}
        onChange={file.setText}
        onCursor={onCursor}
        onSave={file.askToSave}
      />
      <p className="editor-leave soft small-text">
        <kbd>Esc</kbd> and then <kbd>Tab</kbd> leaves the text
      </p>
      <FindingList
        findings={reading.findings}
        text={reading.text}
        onGo={(span) => callbacks.current?.goTo(span)}
      />
    </section>
  )
}

function Changes(props: { readonly file: OpenDocument }) {
  const { isChanged, base, text } = props.file
  if (!isChanged) return <p className="soft body">You have not changed anything yet.</p>
  return (
    <Suspense fallback={<p className="soft body">Loading…</p>}>
      <TextDiff before={base} after={text} label="What you changed" />
    </Suspense>
  )
}

/** What draws all states is not drawn again for a key: it asks for the text when it changes it. */
function useTextAccess(file: OpenDocument, settle: (text: string) => void) {
  const currentText = useStable(() => file.text)
  const setText = useStable((text: string) => {
    file.setText(text)
    settle(text)
  })
  return { currentText, setText }
}

/** A state that was added just now is gone to once the text with it was read. */
function useGoal(
  goal: string | null,
  { text, definition }: TextReading,
  current: string,
  arrive: () => void,
): void {
  const newest = useRef(arrive)
  newest.current = arrive
  const isThere =
    goal !== null && text === current && Object.hasOwn(definition?.definition.states ?? {}, goal)
  useEffect(() => {
    if (isThere) newest.current()
  }, [isThere])
}

/** Where the simulated run stands, while it is looked at. */
function useSimulationMarks(
  { current }: ReturnType<typeof useSimulation>,
  isShown: boolean,
  graph: RunGraph | null,
): RunMarks {
  const run = current === null || !isShown ? null : now(current)
  return useMemo(
    () => runMarks(run?.program.root.id ?? '', run?.run, run?.entries ?? [], graph),
    [run, graph],
  )
}

function TabList(props: { readonly isChanged: boolean; readonly refuted: number }) {
  const { isChanged, refuted } = props
  return (
    <Tabs.List className="tabs">
      <Tabs.Tab value="state" className="tab">
        State
      </Tabs.Tab>
      <Tabs.Tab value="simulate" className="tab">
        Simulate
      </Tabs.Tab>
      <Tabs.Tab value="claims" className="tab">
        Claims{refuted === 0 ? '' : ` · ${refuted} refuted`}
      </Tabs.Tab>
      <Tabs.Tab value="changes" className="tab">
        Changes{isChanged ? ' •' : ''}
      </Tabs.Tab>
    </Tabs.List>
  )
}
