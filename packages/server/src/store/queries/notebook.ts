import { sql } from 'kysely'
import type { MemoryRow, NotebookStore, TaskRow } from '../notebook-store.ts'
import { toMemory, toTask } from '../rows.ts'
import type { TypedQueries } from './typed-queries.ts'

/** An agent may write as many as it likes; a list must not grow with them. */
const maxListed = 1000

/** Memory and tasks of a project (PR-8). */
export function notebookQueries(kind: 'sqlite' | 'postgres', db: TypedQueries): NotebookStore {
  return { ...memoryQueries(kind, db), ...taskQueries(db) }
}

type MemoryStore = Pick<NotebookStore, 'setMemory' | 'memory' | 'listMemory' | 'deleteMemory'>

function memoryQueries(kind: 'sqlite' | 'postgres', db: TypedQueries): MemoryStore {
  return {
    async setMemory(row) {
      const { project, key, value, updatedAt } = row
      const tags = JSON.stringify(row.tags)
      const rest = { value, tags, folded: foldedMemory(row), updated_at: updatedAt }
      await db
        .insertInto('memories')
        .values({ project, key, ...rest })
        .onConflict((conflict) => conflict.columns(['project', 'key']).doUpdateSet(rest))
        .execute()
    },

    async memory(project, key) {
      const row = await db
        .selectFrom('memories')
        .selectAll()
        .where('project', '=', project)
        .where('key', '=', key)
        .executeTakeFirst()
      return row && toMemory(row)
    },

    async listMemory(project, search) {
      let query = db.selectFrom('memories').selectAll().where('project', '=', project)
      for (const wanted of wordsOf(search)) {
        query = query.where(
          kind === 'sqlite'
            ? sql<boolean>`instr(folded, ${wanted}) > 0`
            : sql<boolean>`strpos(folded, ${wanted}) > 0`,
        )
      }
      const rows = await query.orderBy('key').limit(maxListed).execute()
      return rows.map(toMemory)
    },

    async deleteMemory(project, key) {
      const result = await db
        .deleteFrom('memories')
        .where('project', '=', project)
        .where('key', '=', key)
        .executeTakeFirst()
      return result.numDeletedRows > 0n
    },
  }
}

function taskQueries(db: TypedQueries): Omit<NotebookStore, keyof MemoryStore> {
  return {
    async addTask(task) {
      await db
        .insertInto('tasks')
        .values({
          project: task.project,
          task_id: task.taskId,
          created_at: task.createdAt,
          ...changing(task),
        })
        .execute()
    },

    async task(project, taskId) {
      const row = await db
        .selectFrom('tasks')
        .selectAll()
        .where('project', '=', project)
        .where('task_id', '=', taskId)
        .executeTakeFirst()
      return row && toTask(row)
    },

    async listTasks(project, status) {
      let query = db.selectFrom('tasks').selectAll().where('project', '=', project)
      if (status !== undefined) query = query.where('status', '=', status)
      const rows = await query
        .orderBy('priority', 'desc')
        .orderBy('place')
        .limit(maxListed)
        .execute()
      return rows.map(toTask)
    },

    async updateTask(task, expected) {
      const { claimedBy } = expected
      const result = await db
        .updateTable('tasks')
        .set(changing(task))
        .where('project', '=', task.project)
        .where('task_id', '=', task.taskId)
        .where('status', '=', expected.status)
        .where('updated_at', '=', expected.updatedAt)
        .where('claimed_by', claimedBy === null ? 'is' : '=', claimedBy)
        .executeTakeFirst()
      return result.numUpdatedRows > 0n
    },

    async deleteTask(project, taskId) {
      const result = await db
        .deleteFrom('tasks')
        .where('project', '=', project)
        .where('task_id', '=', taskId)
        .executeTakeFirst()
      return result.numDeletedRows > 0n
    },
  }
}

function changing(task: TaskRow) {
  return {
    title: task.title,
    body: task.body,
    status: task.status,
    tags: JSON.stringify(task.tags),
    priority: task.priority,
    claimed_by: task.claimedBy,
    updated_at: task.updatedAt,
  }
}

/** Folded by us, since the two databases fold other letters than a to z differently. */
function foldedMemory({ key, value, tags }: MemoryRow): string {
  return [key, value, ...tags].map(fold).join('\n')
}

function fold(text: string): string {
  return text.toLowerCase()
}

/** Each word must occur, in whatever order; of very many only the first count. */
function wordsOf(search = ''): string[] {
  const words = fold(search).split(/\s+/).filter(Boolean)
  return words.slice(0, maxWords)
}

const maxWords = 50
