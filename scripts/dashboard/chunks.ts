/**
 * What every page needs comes in one file, and what the inbox adds in another: twenty small ones
 * cost a header and a wait each.
 */
export const firstLoadChunks = [
  { name: 'app', tags: ['$initial' as const], priority: 1 },
  { name: 'inbox', test: /[\\/]pages[\\/]approvals[\\/]approvals-page\.tsx$/ },
]
