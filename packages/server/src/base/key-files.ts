/** In a project: there the key of the hooks stands when a client was set up for it alone. */
export const projectKeyFiles: readonly string[] = ['.claude/settings.local.json']
