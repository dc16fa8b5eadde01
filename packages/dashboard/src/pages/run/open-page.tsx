import { type ChangeEvent, useState } from 'react'
import { openExport, type RecordedRun } from '../../model/history/recorded-run.ts'
import { CommandLine } from '../../ui/page/command-line.tsx'
import { Page } from '../../ui/page/page.tsx'
import { ProblemNote } from '../../ui/page/problem-note.tsx'
import { Mark } from '../../ui/values/mark.tsx'
import { RunStory } from './run-story.tsx'

/** A run from a file: computed in this page alone, no server is asked. */
export function OpenPage() {
  const [opened, setOpened] = useState<RecordedRun | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [at, setAt] = useState<number | undefined>(undefined)
  const open = async (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.target.files?.[0]
    if (file === undefined) return
    const read = openExport(await file.text())
    setOpened(read.ok ? read.run : null)
    setProblem(read.ok ? null : read.problem)
    setAt(undefined)
  }
  return (
    <Page
      title={opened === null ? 'Open an exported run' : opened.read.program.root.id}
      subtitle={
        opened === null ? (
          'The file is read in this page and is not sent anywhere.'
        ) : (
          <span className="row tight">
            <span className="badge good">
              <Mark name="done" />
              hash chain and replay are correct
            </span>
            <span className="mono">{opened.runId}</span>
          </span>
        )
      }
      actions={
        <label className="button">
          Choose a file
          <input type="file" accept=".json,application/json" className="file" onChange={open} />
        </label>
      }
    >
      {problem === null ? null : (
        <ProblemNote
          problem={{ code: 'history_broken', message: problem, next: 'export the run again.' }}
        />
      )}
      {opened === null ? (
        <p className="row soft">
          A file comes from the export button of a run, or from{' '}
          <CommandLine text="statewright run export <run> > run.json" />
        </p>
      ) : (
        <RunStory
          runId={opened.runId}
          read={opened.read}
          entries={opened.entries}
          now={undefined}
          at={at}
          onSelect={setAt}
        />
      )}
    </Page>
  )
}
