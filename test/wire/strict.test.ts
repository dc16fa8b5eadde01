import { type Endpoint, endpoints } from '@statewright/core/wire'
import { expect, test } from 'vitest'

/** Clients of the mail service add to its addresses what they like. */
const ofPeers: readonly string[] = ['sendMail', 'sendMails']

const shapes = Object.entries<Endpoint>(endpoints).flatMap(([name, { body, query }]) =>
  [body, query].flatMap((shape, index) =>
    shape === undefined || ofPeers.includes(name)
      ? []
      : [{ name, part: index === 0 ? 'body' : 'query', shape }],
  ),
)

// What is ignored without a word is believed to hold: `version: 1` once was.
test.each(shapes)('the $part of $name refuses a name that it does not know', ({ shape }) => {
  const { error } = shape.safeParse({ nobody_knows: '1' })
  const unknown = error?.issues.flatMap((one) => (one.code === 'unrecognized_keys' ? one.keys : []))
  expect(unknown).toEqual(['nobody_knows'])
})
