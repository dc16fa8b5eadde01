import { Page } from '../../ui/page.tsx'
import { ThemeSwitch } from '../../ui/theme-switch.tsx'
import { Clients } from './clients.tsx'
import { Logins } from './logins.tsx'
import { ModeSwitch } from './mode-switch.tsx'
import { Passkeys } from './passkeys.tsx'
import { Protection } from './protection.tsx'
import { ServerFacts } from './server-facts.tsx'
import { Tokens } from './tokens.tsx'
import { WaitingConfig } from './waiting-config.tsx'
import './settings.css'

export function SettingsPage() {
  return (
    <Page title="Settings">
      <WaitingConfig />
      <ModeSwitch />
      <Protection />
      <Clients />
      <Tokens />
      <Passkeys />
      <Logins />
      <section className="panel" aria-labelledby="look-title">
        <header>
          <h2 id="look-title">Look</h2>
        </header>
        <div className="body">
          <ThemeSwitch />
        </div>
      </section>
      <ServerFacts />
    </Page>
  )
}
