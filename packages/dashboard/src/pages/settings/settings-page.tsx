import { useQuery } from '@tanstack/react-query'
import { meQuery } from '../../api/resources/queries.ts'
import { Page } from '../../ui/page/page.tsx'
import { ThemeSwitch } from '../../ui/theme/theme-switch.tsx'
import { Clients } from './clients.tsx'
import { Logins } from './logins.tsx'
import { ModeSwitch } from './mode-switch.tsx'
import { Passkeys } from './passkeys.tsx'
import { PinForm } from './pin-form.tsx'
import { Protection } from './protection.tsx'
import { ServerFacts } from './server-facts.tsx'
import { Tokens } from './tokens.tsx'
import { WaitingConfig } from './waiting-config.tsx'
import './settings.css'

export function SettingsPage() {
  // Who comes from an identity provider has passkeys there, not here.
  const { provider } = useQuery(meQuery).data ?? {}
  return (
    <Page title="Settings">
      <WaitingConfig />
      <ModeSwitch />
      <Protection />
      <Clients />
      <Tokens />
      {provider === undefined ? <Passkeys /> : null}
      {provider === undefined ? <PinForm /> : null}
      <Logins provider={provider} />
      <section className="panel" aria-labelledby="look-title">
        <header>
          <h2 id="look-title">Appearance</h2>
        </header>
        <div className="body">
          <ThemeSwitch />
        </div>
      </section>
      <ServerFacts />
    </Page>
  )
}
