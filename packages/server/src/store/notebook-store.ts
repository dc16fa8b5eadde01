export interface MemoryRow {
  readonly project: string
  readonly key: string
  readonly value: string
  readonly tags: readonly string[]
  readonly updatedAt: number
}

export interface TaskRow {
  readonly taskId: string
  readonly project: string
  readonly title: string
  readonly body: string
  readonly status: 'open' | 'claimed' | 'done' | 'cancelled'
  readonly tags: readonly string[]
  readonly priority: number
  readonly claimedBy: string | null
  readonly createdAt: number
  readonly updatedAt: number
}

/** By what a task is told from what it was before. */
export type TaskStand = Pick<TaskRow, 'status' | 'claimedBy' | 'updatedAt'>

/** Memory and tasks of a project (PR-8). */
export interface NotebookStore {
  setMemory(row: MemoryRow): Promise<void>
  memory(project: string, key: string): Promise<MemoryRow | undefined>
  listMemory(project: string, search?: string): Promise<readonly MemoryRow[]>
  deleteMemory(project: string, key: string): Promise<boolean>
  addTask(task: TaskRow): Promise<void>
  task(project: string, taskId: string): Promise<TaskRow | undefined>
  listTasks(project: string, status?: TaskRow['status']): Promise<readonly TaskRow[]>
  /** Changes a task if it still stands as expected: claiming is atomic and no change is lost. */
  updateTask(task: TaskRow, expected: TaskStand): Promise<boolean>
  deleteTask(project: string, taskId: string): Promise<boolean>
}
