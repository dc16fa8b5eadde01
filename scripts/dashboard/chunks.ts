/** What every page needs comes in one file: ten small ones cost a header and a wait each. */
export const firstLoadChunks = [{ name: 'app', tags: ['$initial' as const] }]
