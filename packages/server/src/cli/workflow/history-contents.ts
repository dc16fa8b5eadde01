import { compileWorkflow, limits, type WorkflowDefinition } from '@statewright/core/internal'

/** What conditions of a definition put into the chained history of its runs, in lines (FC-16). */
export function historyContents(definition: WorkflowDefinition): readonly string[] {
  const { calls, facts, marks, interrupts, states } = compileWorkflow(definition)
  const inStates = [...states.values()].flatMap((state) => state.calls)
  const readers = [
    ...[...calls, ...inStates].map(({ tool, require }) => ({
      tools: [tool],
      conditions: [require],
    })),
    ...facts.map(({ teachers, when, each, key, value }) => ({
      tools: teachers,
      conditions: [when, each, key, value],
    })),
    ...marks.map(({ name, when }) => ({
      tools: [definition.marks?.[name]?.on ?? []].flat(),
      conditions: [when],
    })),
    ...interrupts.map(({ name, when }) => ({
      tools: [definition.interrupts?.[name]?.trigger.tool ?? 'every tool'].flat(),
      conditions: [when],
    })),
  ]
  return [...argumentLines(readers), ...facts.map(factLine)]
}

interface Reader {
  readonly tools: readonly string[]
  readonly conditions: readonly ({
    readonly reads: { readonly args: readonly string[] | null }
  } | null)[]
}

function argumentLines(readers: readonly Reader[]): string[] {
  const byTool = new Map<string, Set<string>>()
  for (const { tools, conditions } of readers) {
    const names = conditions.flatMap((one) => (one === null ? [] : (one.reads.args ?? ['all'])))
    for (const tool of names.length === 0 ? [] : tools) {
      byTool.set(tool, new Set([...(byTool.get(tool) ?? []), ...names]))
    }
  }
  const bound = `(at most ${limits.argumentBytes} bytes a call)`
  return [...byTool].map(([tool, names]) => {
    return `arguments of ${tool}: ${[...names].join(', ')} ${bound}`
  })
}

function factLine({ name, key, isPrivate }: ReturnType<typeof compileWorkflow>['facts'][number]) {
  const keys = key === null ? 'one value' : `at most ${limits.factKeys} keys`
  const hidden = isPrivate ? ', private: as keyed hashes alone' : ''
  return `fact ${name}: ${keys}, ${limits.factBytes} bytes a value${hidden}`
}
