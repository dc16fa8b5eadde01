/** Under which a client of the new era answers that it showed the page of an approval. */
export const ownQuestion = 'statewright/approval'

/** What is between the client and us is no answer to a question of the server behind us. */
export function withoutOurAnswer<Answer>(
  answers: Readonly<Record<string, Answer>>,
): Record<string, Answer> {
  const { [ownQuestion]: _ours, ...theirs } = answers
  return theirs
}
