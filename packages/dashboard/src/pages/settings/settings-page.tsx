import { CommandLine } from '../../ui/command-line.tsx'
import { Page } from '../../ui/page.tsx'
import { ThemeSwitch } from '../../ui/theme-switch.tsx'
import { Logins } from './logins.tsx'
import { Protection, WaitingConfig } from './protection.tsx'
import { Tokens } from './tokens.tsx'

export function SettingsPage() {
  return (
    <Page title="Settings">
      <WaitingConfig />
      <Protection />
      <section className="panel">
        <header>
          <h2>Observe or enforce</h2>
        </header>
        <div className="body stack">
          <p>
            The mode stands in <code>statewright.yaml</code> of the project, where an agent cannot
            reach it: <code>mode: observe</code> records what would be denied,{' '}
            <code>mode: enforce</code> denies it. A change waits above until you accept it.
          </p>
          <CommandLine text="statewright config accept" />
        </div>
      </section>
      <section className="panel">
        <header>
          <h2>Look</h2>
        </header>
        <div className="body">
          <ThemeSwitch />
        </div>
      </section>
      <Tokens />
      <Logins />
    </Page>
  )
}
