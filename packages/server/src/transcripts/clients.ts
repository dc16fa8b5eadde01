export const transcriptClients = ['claude-code', 'codex', 'gemini', 'opencode'] as const
export type CodingClientName = (typeof transcriptClients)[number]
