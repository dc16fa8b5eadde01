import { claudeInstaller } from './claude-install.ts'
import type { Installer } from './installer.ts'

/** How `install` changes the settings of each coding client. */
export const installers: ReadonlyMap<string, Installer> = new Map(
  [claudeInstaller].map((installer) => [installer.client, installer]),
)
