import type { Json } from '@statewright/core/internal'
import type { Guard } from '../guard/guard.ts'
import { ownTools, toolByName } from '../mcp/tools/all.ts'
import type { OwnTools } from '../orchestrator/broker/broker-options.ts'

/** Our own tools, for a model that works in a session bound to a run. */
export function sessionTools(guard: Guard): OwnTools {
  const offered = ownTools.filter(({ isDebugging }) => !isDebugging)
  return {
    definitions: offered.map(({ name, description, inputSchema }) => ({
      name,
      description,
      // A published schema is plain JSON; its type only says that it may hold anything.
      inputSchema: JSON.parse(JSON.stringify(inputSchema)),
    })),
    async call({ caller, session, project }, name, args: Json) {
      const tool = toolByName.get(name)
      if (tool === undefined) return { output: `There is no tool ${name}.`, isError: true }
      const done = await tool.call(
        { guard, runtime: guard.runtime, caller, session, project },
        args,
      )
      if (done.ok) return { output: JSON.stringify(done.value), isError: false }
      const { code, message, next } = done.error
      const output = `${code}: ${message}${next === undefined ? '' : ` Next: ${next}`}`
      return { output, isError: true }
    },
  }
}
