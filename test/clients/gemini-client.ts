import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Ran, runProgram, type Variables } from '../../packages/server/testing/child.ts'
import type { FakeGemini } from '../support/fake-gemini.ts'

const cache = fileURLToPath(new URL('../../.cache/clients/gemini/', import.meta.url))

/** The client's own program, where `npm run test:clients` has put it. */
export const geminiProgram = join(cache, 'node_modules/@google/gemini-cli/bundle/gemini.js')

export function isGeminiInstalled(): boolean {
  return existsSync(geminiProgram)
}

/** What the client needs to speak to a scripted model and to nobody else. */
export const quietSettings = {
  security: { auth: { selectedType: 'gemini-api-key' } },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
  general: { enableAutoUpdate: false },
}

export function geminiSettingsFile(home: string): string {
  return join(home, '.gemini', 'settings.json')
}

export function writeGeminiSettings(home: string, text: string): void {
  const file = geminiSettingsFile(home)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

export function readGeminiSettings(home: string): string {
  return readFileSync(geminiSettingsFile(home), 'utf8')
}

function environment(home: string, more: Variables): Variables {
  return {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    HOME: home,
    GEMINI_API_KEY: 'not-a-key',
    GEMINI_CLI_NO_RELAUNCH: 'true',
    ...more,
  }
}

/** Runs the client headless, with every permission that it could give by itself. */
export function runGemini(options: {
  readonly home: string
  readonly work: string
  readonly model: FakeGemini
  readonly environment?: Variables
}): Promise<Ran> {
  const { home, work, model } = options
  const args = ['-p', 'go', '--output-format', 'stream-json', '--approval-mode', 'yolo']
  return runProgram(
    process.execPath,
    [geminiProgram, ...args, '--model', 'gemini-2.5-pro', '--skip-trust'],
    {
      cwd: work,
      environment: environment(home, {
        GOOGLE_GEMINI_BASE_URL: model.url,
        ...options.environment,
      }),
    },
  )
}

/** A command of the client that asks no model, such as `extensions validate`. */
export function commandGemini(home: string, args: readonly string[]): Promise<Ran> {
  const options = { cwd: home, environment: environment(home, {}) }
  return runProgram(process.execPath, [geminiProgram, ...args], options)
}
