import { existsSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe } from 'vitest'
import { acpDoor, claudeDoor } from '../doors/agent-doors.ts'
import { playTable } from '../doors/suite.ts'
import { realAgents } from '../doors/table.ts'
import { type FakeModel, startFakeModel } from '../support/fake-anthropic.ts'
import { claudeEnvironment, claudeProgram, isClaudeInstalled } from './claude-client.ts'
import { isDriven } from './guarded-home.ts'
import { obey } from './obedient-model.ts'

const acpProgram = fileURLToPath(
  new URL('../../.cache/clients/claude-acp/node_modules/.bin/claude-agent-acp', import.meta.url),
)
const hasClaude = isDriven('Claude Code', { isInstalled: isClaudeInstalled() })
const hasAcp = isDriven('ACP agent', { isInstalled: existsSync(acpProgram) })

/** Claude Code writes over no file that it has not read: what is protected here is a new one. */
const ownFile = (project: string) => join(project, '.mcp.json')

describe.skipIf(!hasClaude && !hasAcp)('sessions of real agents', () => {
  let model: FakeModel | undefined
  afterAll(() => model?.close())

  playTable({
    doors: () => [
      ...(hasClaude ? [{ ...claudeDoor(), ownFile }] : []),
      ...(hasAcp ? [{ ...acpDoor({ agent: 'claude' }), ownFile }] : []),
    ],
    programs(folder) {
      symlinkSync(claudeProgram, join(folder, 'claude'))
      symlinkSync(acpProgram, join(folder, 'claude-agent-acp'))
    },
    async environment() {
      model = await startFakeModel(obey)
      const { PATH: _path, HOME: _home, ...rest } = claudeEnvironment('', model)
      return rest
    },
    exceptions: realAgents,
    timeoutMs: 180_000,
  })
})
