import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Cell, Door } from './door.ts'
import type { Row } from './row.ts'
import type { Server } from './server.ts'

/** Makes a project and a definition for one row at one door, and plays it there. */
export async function playCell(server: Server, door: Door, row: Row): Promise<string> {
  const cell = await makeCell(server, door, row)
  await row.prepare?.(cell, door)
  const { agent, person } = await door.open(cell)
  try {
    return await row.play({ door, cell, agent, person })
  } finally {
    await agent.close()
  }
}

async function makeCell(server: Server, door: Door, row: Row): Promise<Cell> {
  const id = `${row.name} ${door.name}`.replaceAll(/[^a-z]+/g, '-')
  const project = join(server.folder, 'cells', id)
  // A project of its own to clients, which look for the root of the repository.
  mkdirSync(join(project, '.git'), { recursive: true })
  writeFileSync(join(project, 'look.sh'), lookScript)
  writeFileSync(join(project, 'probe.sh'), probeScript(join(server.folder, 'cells', id), server))
  const definition = { ...row.definition(door), id }
  await server.ask('PUT', `/api/workflows/${id}`, definition)
  const configuration = door.ownFile?.(project) ?? join(server.project, 'statewright.yaml')
  const acts = row.acts({ door, project, configuration })
  return { id, server, project, acts, definition }
}

/** What a program sees of its variables, which no reading of the command line can tell. */
const lookScript = `
echo "target is $DEPLOY_TARGET"
echo "secrets are $LC_SECRET $CLAUDE_SECRET"
`

/** Tries what a sandbox is there to prevent, and says who holds it. */
function probeScript(project: string, { data }: Server): string {
  return `
echo "first process is $(cat /proc/1/comm)"
echo out > '${project}.outside'
test -e '${data}/statewright.db' && echo 'data is seen'
true
`
}
