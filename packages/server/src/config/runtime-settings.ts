import { resolve } from 'node:path'
import { programTable } from '@statewright/core/internal'
import { realOf } from '../home/folders.ts'
import { programPaths } from '../home/program-paths.ts'
import { defaultSettings, type RuntimeSettings } from '../runtime/settings.ts'
import { definitionPaths } from './definition-files.ts'
import type { PinnedConfig } from './pinned.ts'
import type { OwnPaths } from './resolve.ts'
import type { Settings } from './schema.ts'

/**
 * The settings that the runtime reads, always those that hold right now: a change that a person
 * accepts is in force for the very next call.
 */
export function runtimeSettings(
  pinned: PinnedConfig,
  paths: OwnPaths,
  missingSandbox: string | null = null,
): RuntimeSettings {
  const now = remembered(pinned, paths)
  return {
    get strict() {
      return now().strict
    },
    get mode() {
      return now().mode
    },
    get modeSince() {
      return pinned.mode().since
    },
    get agentMayLoad() {
      return now().agentMayLoad
    },
    get workflow() {
      return now().workflow
    },
    get autostart() {
      return now().autostart
    },
    get protectedPaths() {
      return now().protectedPaths
    },
    get readOnlyShell() {
      return now().readOnlyShell
    },
    get programs() {
      return now().programs
    },
    get prices() {
      return now().prices
    },
    get maxCostReportUsd() {
      return now().maxCostReportUsd
    },
    get protectedFiles() {
      return now().protectedFiles
    },
    get askPaths() {
      return now().askPaths
    },
    program: programPaths(),
    ...fixedPaths(paths),
    get rewriteWithAllow() {
      return now().rewriteWithAllow
    },
    get sessions() {
      return now().sessions
    },
    get keepMs() {
      return now().keepMs
    },
    get sandbox() {
      return now().sandbox
    },
    get sandboxNetwork() {
      return now().sandboxNetwork
    },
    missingSandbox,
    askTimeoutMs: defaultSettings.askTimeoutMs,
  }
}

/** What does not change while the server lives. */
function fixedPaths({ project, home, homes, clientFolders }: OwnPaths) {
  return { project, home, homes, clientFolders }
}

/** The settings in force, made again only when they have changed. */
function remembered(pinned: PinnedConfig, paths: OwnPaths): () => RuntimeSettings {
  let known: { from: Settings; made: RuntimeSettings } | undefined
  return () => {
    const from = pinned.current()
    if (known?.from !== from) known = { from, made: translate(from, paths) }
    return known.made
  }
}

function translate(settings: Settings, paths: OwnPaths): RuntimeSettings {
  const own = settings.protected_paths.map((path) => realOf(resolve(paths.project, path)))
  return {
    ...defaultSettings,
    strict: settings.strict,
    mode: settings.mode,
    agentMayLoad: settings.agent_may_load,
    workflow: settings.workflow,
    autostart: settings.autostart,
    readOnlyShell: settings.read_only_shell,
    sandbox: settings.sandbox,
    sandboxNetwork: settings.sandbox_network === 'on',
    rewriteWithAllow: settings.rewrite_with_allow,
    protectedPaths: paths.protectedPaths,
    protectedFiles: [...paths.files, ...definitionPaths(paths.project, settings.definitions)],
    askPaths: own,
    programs: programTable(settings.shell),
    prices: settings.prices,
    maxCostReportUsd: settings.max_cost_report_usd,
    sessions: settings.sessions,
    keepMs: settings.keep === null ? null : Number.parseInt(settings.keep, 10) * 86_400_000,
  }
}
