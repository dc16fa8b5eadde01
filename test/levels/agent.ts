import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import {
  type ChildResult,
  runProgram,
  type StartedServer,
  type Variables,
} from '../../packages/server/testing/child.ts'
import type { Answer, Level } from './table.ts'
import { hookFile, type World } from './world.ts'

export interface HookReply {
  /** What the client was told instead of running it. */
  readonly denied?: string
  /** The command line that it got in place of its own. */
  readonly command?: string
}

/** A coding client of one level, with the real hook program, and a run of its own. */
export class Agent {
  readonly world: World
  readonly level: Level
  readonly server: StartedServer
  readonly home: string
  readonly keyFile: string
  readonly token: string
  readonly session = `ses-${randomUUID()}`
  runId = ''

  private constructor(
    world: World,
    level: Level,
    server: StartedServer,
    key: { readonly token: string; readonly hook_token: string },
  ) {
    this.world = world
    this.level = level
    this.server = server
    this.home = world.homeOf(level)
    this.token = key.token
    const file = join(this.home, '.local/state/statewright', `${randomUUID()}.json`)
    this.keyFile = world.write(level, file, JSON.stringify({ url: server.url, ...key }))
  }

  /** `state` is what else stands in the state that the agent works in. */
  static async start(
    world: World,
    level: Level,
    options: {
      readonly network?: 'on' | 'off'
      readonly state?: object
      readonly more?: object
    } = {},
  ): Promise<Agent> {
    const server = await world.server(options.network)
    const request = { kind: 'agent', name: level, with_hook: true }
    const { value: key } = await server.ask('POST', '/api/tokens', request)
    // biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
    const agent = new Agent(world, level, server, key as any)
    const sandbox = level === 'L1' ? 'required' : 'off'
    const definition = {
      id: 'levels',
      initial: 'working',
      states: {
        working: { sandbox, on: { DONE: 'done' }, ...options.state },
        done: { type: 'final' },
      },
      ...options.more,
    }
    const run = { definition, session: agent.session, workspace: world.project }
    const { status, value } = await server.ask('POST', '/api/runs', run)
    if (status !== 201) throw new Error(JSON.stringify(value))
    agent.runId = (value as { run_id: string }).run_id // As published.
    return agent
  }

  /** Asks as Claude Code does before a tool runs. */
  async before(tool: string, input: object): Promise<HookReply> {
    const { code, stdout, stderr } = await this.hook(this.hookBody(tool, input))
    if (code === 2) return { denied: stderr }
    const { hookSpecificOutput: out = {} } = JSON.parse(stdout)
    return {
      ...(out.permissionDecision === 'deny' ? { denied: out.permissionDecisionReason } : {}),
      ...(out.updatedInput === undefined ? {} : { command: out.updatedInput.command }),
    }
  }

  hookBody(tool: string, input: object, event = 'PreToolUse'): object {
    return {
      hook_event_name: event,
      session_id: this.session,
      cwd: this.world.project,
      tool_name: tool,
      tool_input: input,
      tool_use_id: `toolu_${randomUUID()}`,
    }
  }

  hook(body: object): Promise<ChildResult> {
    return this.#start(process.execPath, [hookFile, 'claude-code', this.keyFile], {
      input: JSON.stringify(body),
    })
  }

  /** What our rules say to a call: it is not let through, waits for a person, or passes. */
  async judged(tool: string, input: object): Promise<Answer> {
    const { denied } = await this.before(tool, input)
    if (denied === undefined) return 'does not hold'
    // A denial because the hook could not ask would say nothing of our rules.
    if (denied.includes('could not check')) throw new Error(denied)
    return (await this.waiting()).length > 0 ? 'asks a person' : 'holds'
  }

  /** The approvals of its run that wait for a person. */
  async waiting(): Promise<readonly string[]> {
    const path = `/api/approvals?status=waiting&run=${this.runId}`
    const { value } = await this.server.ask('GET', path)
    const { approvals } = value as { approvals: { approval_id: string }[] } // As published.
    return approvals.map(({ approval_id: id }) => id)
  }

  /**
   * What a program may do that a command starts: the command names a script, as `npm test` does,
   * and says nothing of what is in it.
   */
  async program(script: string, environment: Variables = {}): Promise<ChildResult> {
    const name = `check-${randomUUID()}.sh`
    this.world.write(this.level, join(this.world.project, name), script)
    const { denied, command } = await this.before('Bash', { command: `bash ${name}` })
    if (denied !== undefined) throw new Error(`the command was to run: ${denied}`)
    return this.unasked(command ?? `bash ${name}`, environment)
  }

  /** What runs without a question of the client's. */
  unasked(line: string, environment: Variables = {}): Promise<ChildResult> {
    return this.#start('/bin/bash', ['--norc', '-c', line], { environment })
  }

  async transition(event: string): Promise<string> {
    const answer = await fetch(`${this.server.url}/api/runs/${this.runId}/transition`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ event }),
    })
    const { code = 'passed' } = (await answer.json()) as { code?: string } // As published.
    return code
  }

  #start(
    program: string,
    args: readonly string[],
    { input = '', environment = {} }: { input?: string; environment?: Variables },
  ): Promise<ChildResult> {
    return runProgram(program, args, {
      cwd: this.world.project,
      environment: { PATH: process.env.PATH, HOME: this.home, ...environment },
      input,
      user: this.world.userOf(this.level),
    })
  }
}
