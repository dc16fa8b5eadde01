import { claudeInstaller } from './claude-install.ts'
import { codexInstaller } from './codex-install.ts'
import { copilotInstaller } from './copilot-install.ts'
import { cursorInstaller } from './cursor-install.ts'
import { geminiExtension, geminiInstaller } from './gemini-install.ts'
import type { Installer } from './installer.ts'
import { opencodeInstaller } from './opencode-install.ts'
import { pluginInstaller } from './plugin-install.ts'

/** How `install` changes the settings of each coding client. */
export const installers: ReadonlyMap<string, Installer> = new Map(
  [
    claudeInstaller,
    codexInstaller,
    copilotInstaller,
    cursorInstaller,
    geminiInstaller,
    geminiExtension,
    opencodeInstaller,
    pluginInstaller,
  ].map((installer) => [installer.client, installer]),
)

/** The coding client that an installation speaks for. */
export function spokenClient(client: string): string {
  return installers.get(client)?.speaks ?? client
}
