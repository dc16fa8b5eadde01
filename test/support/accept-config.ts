/** Accepts what the configuration of a server names, as a person does once for a project. */
export async function acceptConfig(server: {
  readonly url: string
  readonly person_token?: string
}): Promise<void> {
  const answer = await fetch(`${server.url}/api/config/accept`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${server.person_token}`,
      'content-type': 'application/json',
    },
    body: '{}',
  })
  if (!answer.ok) throw new Error(`not accepted: ${answer.status} ${await answer.text()}`)
}
