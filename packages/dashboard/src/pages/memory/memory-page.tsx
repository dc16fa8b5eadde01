import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, useId, useState } from 'react'
import { projectsQuery } from '../../api/resources/notebook.ts'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { Page } from '../../ui/page/page.tsx'
import { MemoryList } from './memory-list.tsx'
import { TaskList } from './task-list.tsx'
import './memory.css'

/** What agents of a project keep for each other, and what is to be done there. */
export function MemoryPage() {
  const search = useSearch({ from: '/memory' })
  const projects = useQuery(projectsQuery).data
  const project = search.project ?? projects?.[0] ?? ''
  return (
    <Page
      title="Memory and tasks"
      subtitle="What the agents of a project remember for each other, and their tasks"
    >
      <ProjectBar project={project} projects={projects ?? []} />
      {project === '' ? (
        projects === undefined ? (
          <p className="soft">Reading…</p>
        ) : (
          <EmptyState title="No project yet" command="statewright run start <workflow>">
            Memory and tasks belong to a project, the folder that a run or a session works in.
            Agents read and write them over <code>/mcp/process</code>. Name one above, or start a
            run:
          </EmptyState>
        )
      ) : (
        <div className="notebook">
          <TaskList project={project} />
          <MemoryList project={project} find={search.find ?? ''} />
        </div>
      )}
    </Page>
  )
}

function ProjectBar(props: { readonly project: string; readonly projects: readonly string[] }) {
  const { project, projects } = props
  // What somebody types stays, whatever the server says meanwhile of the projects.
  const [typed, setTyped] = useState<string | null>(null)
  const text = typed ?? project
  const navigate = useNavigate()
  const listId = useId()
  const open = (event: FormEvent) => {
    event.preventDefault()
    setTyped(null)
    void navigate({ to: '/memory', search: text.trim() === '' ? {} : { project: text.trim() } })
  }
  return (
    <form className="row project-bar" onSubmit={open}>
      <label className="field">
        <span className="visually-hidden">Project</span>
        <input
          value={text}
          list={listId}
          maxLength={4096}
          spellCheck={false}
          placeholder="Project, such as /home/me/shop"
          onChange={(event) => setTyped(event.target.value)}
        />
      </label>
      <datalist id={listId}>
        {projects.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
      <button type="submit" className="button">
        Open
      </button>
    </form>
  )
}
