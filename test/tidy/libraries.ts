import type { House } from './arrows.ts'

/**
 * Libraries that a package or a room may import, and Node. One that speaks for one room is named
 * for that room alone, so that its words stay there.
 */
export const outside: House['outside'] = {
  core: ['zod'],
  'core/definition': ['@noble/hashes', 'jsonc-parser', 'yaml'],
  'core/condition': ['@marcbachmann/cel-js'],
  'core/shell': ['unbash'],
  server: ['@statewright/core', 'node:'],
  'server/clients': ['zod'],
  // Both read settings files, where we write between what others wrote.
  'server/client-settings': ['zod', 'jsonc-parser', 'smol-toml'],
  'server/store': ['kysely', 'pg'],
  'server/mcp': [
    'zod',
    '@modelcontextprotocol/server',
    '@modelcontextprotocol/client',
    '@modelcontextprotocol/node',
  ],
  'server/upstream': ['zod', '@modelcontextprotocol/client'],
  'server/orchestrator': [
    'zod',
    '@ai-sdk/anthropic',
    '@ai-sdk/openai',
    '@ai-sdk/openai-compatible',
    '@agentclientprotocol/sdk',
    '@opentelemetry/api',
  ],
  'server/tools': ['zod'],
  'server/sdk': ['zod'],
  'server/docs': ['marked'],
  'server/http': ['zod', 'hono', '@hono/node-server', '@simplewebauthn/server', 'openid-client'],
  'server/observe': [
    'zod',
    'pino',
    'prom-client',
    '@opentelemetry/api',
    '@opentelemetry/exporter-metrics-otlp-http',
    '@opentelemetry/exporter-trace-otlp-http',
    '@opentelemetry/resources',
    '@opentelemetry/sdk-metrics',
    '@opentelemetry/sdk-trace',
  ],
  'server/app': ['zod'],
  'server/home': ['zod'],
  'server/config': ['zod'],
  'server/cli': ['commander', 'zod'],
  dashboard: ['@statewright/core'],
  // Both write a changed field back into a text; core reads texts with the same two.
  'dashboard/model/text': ['jsonc-parser', 'yaml'],
  'dashboard/model/definitions': ['yaml'],
  'dashboard/model/simulator': ['yaml'],
  ...Object.fromEntries(
    ['client', 'feed', 'proof', 'resources'].map((room) => [
      `dashboard/api/${room}`,
      ['@tanstack/react-query'],
    ]),
  ),
  ...Object.fromEntries(
    ['charts', 'demo', 'page', 'proof', 'theme'].map((room) => [`dashboard/ui/${room}`, ['react']]),
  ),
  'dashboard/ui/dialogs': ['react', '@base-ui/react', 'lucide-react'],
  'dashboard/ui/values': ['react', 'lucide-react'],
  'dashboard/pages': [
    'react',
    '@base-ui/react',
    'lucide-react',
    '@tanstack/react-query',
    '@tanstack/react-router',
    '@tanstack/react-virtual',
    '@xyflow/react',
    'elkjs',
    // Takes apart what models write; makes no HTML.
    'marked',
    '@codemirror/autocomplete',
    '@codemirror/commands',
    '@codemirror/lang-json',
    '@codemirror/lang-yaml',
    '@codemirror/language',
    '@codemirror/lint',
    '@codemirror/merge',
    '@codemirror/search',
    '@codemirror/state',
    '@codemirror/view',
    '@lezer/highlight',
  ],
  'dashboard/app': [
    'react',
    '@base-ui/react',
    'lucide-react',
    '@tanstack/react-query',
    '@tanstack/react-router',
  ],
  'dashboard/main': ['react-dom', '@fontsource-variable/inter'],
}
