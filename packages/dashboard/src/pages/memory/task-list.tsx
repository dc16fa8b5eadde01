import { endpoints, type TaskLine, type TaskStatus } from '@statewright/core/wire'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { call } from '../../api/client/client.ts'
import { type ApiProblem, problemOf } from '../../api/client/problem.ts'
import { tasksQuery } from '../../api/resources/notebook.ts'
import type { MarkName } from '../../model/words/marks.ts'
import { plainText } from '../../model/words/plain-text.ts'
import { shortId } from '../../model/words/words.ts'
import { toast } from '../../ui/dialogs/toasts.tsx'
import { ProblemNote } from '../../ui/page/problem-note.tsx'
import { Foreign } from '../../ui/values/foreign-text.tsx'
import { Mark } from '../../ui/values/mark.tsx'
import { Ago } from '../../ui/values/when.tsx'

const looks: Readonly<Record<TaskStatus, readonly [tone: string, mark: MarkName]>> = {
  open: ['wait', 'open'],
  claimed: ['accent', 'running'],
  done: ['good', 'done'],
  cancelled: ['plain', 'stopped'],
}

export function TaskList({ project }: { readonly project: string }) {
  const { data, error } = useQuery(tasksQuery(project))
  return (
    <section className="panel" aria-label="Tasks">
      <header>
        <h2>Tasks</h2>
        <span className="soft small-text">the most urgent first</span>
      </header>
      <div className="body stack">
        <NewTask project={project} />
        {error === null ? null : <ProblemNote problem={problemOf(error)} />}
        {data?.length === 0 ? <p className="soft">No tasks</p> : null}
        <ul className="lines">
          {data?.map((task) => (
            <li key={task.task_id}>
              <TaskRow project={project} task={task} />
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}

function NewTask({ project }: { readonly project: string }) {
  const [title, setTitle] = useState('')
  const [problem, setProblem] = useState<ApiProblem | null>(null)
  const client = useQueryClient()
  const add = async (event: FormEvent) => {
    event.preventDefault()
    const body = { title: title.trim() }
    // At once: a second Enter must not add it twice, nor the answer take away what is typed next.
    setTitle('')
    try {
      await call(endpoints.createTask, { query: { project }, body })
      setProblem(null)
      await client.invalidateQueries({ queryKey: ['tasks', project] })
    } catch (fault) {
      setTitle((typed) => (typed === '' ? body.title : typed))
      setProblem(problemOf(fault))
    }
  }
  return (
    <form className="row project-bar" onSubmit={add}>
      <label className="field">
        <span className="visually-hidden">New task</span>
        <input
          value={title}
          maxLength={500}
          placeholder="What is to be done?"
          onChange={(event) => setTitle(event.target.value)}
        />
      </label>
      <button type="submit" className="button" disabled={title.trim() === ''}>
        Add
      </button>
      {problem === null ? null : <ProblemNote problem={problem} />}
    </form>
  )
}

function TaskRow({ project, task }: { readonly project: string; readonly task: TaskLine }) {
  const client = useQueryClient()
  const { task_id: id, title, status, tags, claimed_by: by } = task
  const [tone, mark] = looks[status]
  const which = { params: { id }, query: { project } }
  const change = async (send: () => Promise<unknown>) => {
    try {
      await send()
    } catch (fault) {
      toast('bad', 'Not changed', problemOf(fault).message)
    }
    await client.invalidateQueries({ queryKey: ['tasks', project] })
  }
  const put = (wanted: 'open' | 'cancelled') =>
    change(() => call(endpoints.updateTask, { ...which, body: { status: wanted } }))
  const remove = () => change(() => call(endpoints.deleteTask, which))
  const button = (word: string, act: () => Promise<void>) => (
    <button type="button" className="button small" onClick={() => void act()}>
      {word}
      <span className="visually-hidden"> {plainText(title, 60)}</span>
    </button>
  )
  return (
    <div className="line">
      <span className={`badge ${tone}`}>
        <Mark name={mark} />
        {status}
      </span>
      <span className="line-text">
        <Foreign text={title} max={200} />
        <span className="soft small-text">
          {by === null ? null : (
            <>
              {' '}
              taken by <Foreign text={shortId(by)} max={60} />
            </>
          )}
          {tags.length === 0 ? null : <Foreign text={` #${tags.join(' #')}`} max={100} />}{' '}
          <Ago at={task.updated_at} />
        </span>
      </span>
      <span className="row tight">
        {status === 'claimed' ? button('Give back', () => put('open')) : null}
        {status === 'open' ? button('Cancel', () => put('cancelled')) : null}
        {status === 'done' || status === 'cancelled' ? button('Remove', remove) : null}
      </span>
    </div>
  )
}
