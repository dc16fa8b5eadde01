import type { Clock } from '../base/clock.ts'
import type { OidcSettings } from '../http/auth/auth.ts'
import type { ListenLimits } from '../http/listen.ts'
import type { PageFile } from '../http/page-files.ts'
import type { Route } from '../http/pipeline/route.ts'
import type { MailService } from '../mail/forward.ts'
import type { GatewayOptions } from '../mcp/gateway.ts'
import type { NotifySettings } from '../notify/notifier.ts'
import type { Log } from '../observe/logger.ts'
import type { RuntimeSettings } from '../runtime/settings.ts'
import type { SandboxFound } from '../sandbox/find-sandbox.ts'
import type { Store } from '../store/store.ts'

export interface ServeOptions {
  readonly store: Store
  readonly settings: RuntimeSettings
  /** 0 takes any free one. */
  readonly port: number
  readonly host?: string
  /** Addresses besides the loopback one under which the server is reached. */
  readonly publicUrls?: readonly string[]
  /** The name of the person whom the links at the server's own terminal are for. */
  readonly owner?: string
  readonly version?: string
  readonly pages?: ReadonlyMap<string, PageFile>
  /** Routes of the caller that starts the server, behind the same checks as all others. */
  readonly routes?: readonly Route[]
  readonly log?: Log
  readonly clock?: Clock
  readonly limits?: ListenLimits
  /** Name of this node, the same over restarts: an unclean stop is found by it. */
  readonly node?: string
  /** Other servers write to the same store. */
  readonly sharesStore?: boolean
  /** Takes over the configuration that another server has accepted. */
  readonly followConfig?: () => Promise<void>
  /** What this machine holds commands with, looked up by the caller that starts the server. */
  readonly sandbox?: SandboxFound
  readonly environment?: Readonly<Record<string, string | undefined>>
  /** How the gateway is set up; without it there are our own tools and nothing behind them. */
  readonly gateway?: Partial<
    Pick<
      GatewayOptions,
      'settings' | 'folder' | 'onSettings' | 'unaccepted' | 'onAcceptance' | 'toolWatch'
    >
  >
  /** The mail service behind our proxy, read again for each mail; none when left out. */
  readonly mail?: () => MailService | undefined
  /** The identity provider with which people log in; links and PINs when left out. */
  readonly oidc?: () => OidcSettings | undefined
  /** How people are told of what waits, read again for each; not at all when left out. */
  readonly notify?: () => NotifySettings
  /** The Postgres that the store keeps everything in; else it lies in `data`. */
  readonly databaseUrl?: string
  /** Where the store and `hooks.json` of agent sessions lie. */
  readonly data?: string
}
