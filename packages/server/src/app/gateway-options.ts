import type { PinnedConfig } from '../config/pinned.ts'
import type { OwnPaths } from '../config/resolve.ts'
import { gatewayDefaults, type Settings } from '../config/schema.ts'
import type { GatewayOptions, GatewaySettings } from '../mcp/gateway.ts'
import type { UpstreamSpecs } from '../upstream/upstreams.ts'

/**
 * What the gateway is told by the configuration that holds. An upstream command is a program that
 * we start: while guarded runs are live a changed one waits for a person like every other change.
 */
export function gatewayOptions(
  pinned: PinnedConfig,
  paths: OwnPaths,
): Pick<
  GatewayOptions,
  'settings' | 'folder' | 'onSettings' | 'unaccepted' | 'onAcceptance' | 'toolWatch'
> {
  let known: { from: Settings; made: GatewaySettings } | undefined
  return {
    folder: paths.project,
    settings() {
      const from = pinned.current()
      if (known?.from !== from) known = { from, made: translate(from) }
      return known.made
    },
    onSettings: (listener) => pinned.onChanged(listener),
    // The files are read again, so that people see what waits for them.
    onAcceptance: () => pinned.reload(),
    unaccepted: () => unaccepted(pinned),
    toolWatch: pinned.tools,
  }
}

/** Servers that the files name and that do not run, or not as the files say. */
function unaccepted(pinned: PinnedConfig): readonly string[] {
  const { upstreams } = pinned.current()
  const change = pinned.waiting()?.changes.find(({ key }) => key === 'upstreams')
  // It has passed the schema of the configuration.
  const names = Object.keys((change?.to ?? {}) as Settings['upstreams'])
  return names.filter((name) => !Object.hasOwn(upstreams, name))
}

function translate({ upstreams, gateway }: Settings): GatewaySettings {
  const specs: Record<string, UpstreamSpecs[string]> = {}
  for (const [name, given] of Object.entries(upstreams)) {
    const { type: _type, timeout_ms: timeoutMs, ...rest } = given
    // Without files none was accepted: one that is there at the start is another than before.
    const files = 'command' in rest ? { files: rest.files ?? [] } : {}
    specs[name] = { ...rest, ...files, ...(timeoutMs === undefined ? {} : { timeoutMs }) }
  }
  return {
    upstreams: specs,
    names: gateway.names ?? gatewayDefaults.names,
    list: gateway.list ?? gatewayDefaults.list,
    tools: gateway.tools ?? gatewayDefaults.tools,
    askWaitMs: gateway.ask_wait_ms ?? gatewayDefaults.ask_wait_ms,
  }
}
