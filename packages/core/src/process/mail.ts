import { isJsonObject, type JsonObject } from '../base/json.ts'
import { limits } from '../base/limits.ts'
import { own } from '../base/own.ts'
import type { ReasonFacts } from '../base/problem.ts'
import { type Phrase, phrase } from '../base/text/phrase.ts'
import { lowerAscii, type ToolRef } from '../call/tool-names.ts'
import { coversAddress, type MailAddress, parseAddress, parseAddresses } from './mail-address.ts'
import type { EmailConfig } from './process-schema.ts'

export interface MailMessage {
  /** Null when the call leaves the sender to the server. */
  readonly from: MailAddress | null
  /** To, cc and bcc, and where answers go. */
  readonly recipients: readonly MailAddress[]
}

/** The mail that one call would send. */
export interface MailFacts {
  readonly messages: readonly MailMessage[]
  /** The mail could not be understood, so that it may not be sent where mail is limited. */
  readonly unreadable?: Phrase
}

/** What a call would send, or undefined when it is no call of a mail tool (PR-10). */
export function mailFacts(ref: ToolRef, input: unknown): MailFacts | undefined {
  if (!isMailTool(ref)) return undefined
  if (onlyLooks(ref)) return { messages: [] }
  const items = messagesIn(input)
  if (items === undefined) return unreadable(phrase('mail_no_message'))
  if (items.length > limits.mailMessages) return unreadable(phrase('mail_too_many_messages'))
  const messages: MailMessage[] = []
  for (const item of items) {
    const message = readMessage(item)
    if ('phrase' in message) return unreadable(message)
    messages.push(message)
  }
  return { messages }
}

/** What the mail rules of a process have against a call. */
export function judgeMail(
  config: EmailConfig,
  facts: MailFacts,
  sentSoFar: number,
): readonly ReasonFacts[] {
  if (facts.unreadable !== undefined) {
    const message = phrase('mail_unreadable', { why: facts.unreadable })
    return [{ code: 'email_not_allowed', message, path: 'email_config' }]
  }
  return [
    ...judgeSenders(config.allowed_from, facts.messages),
    ...judgeRecipients(config.allowed_to, facts.messages),
    ...judgeCount(config.max_emails_per_session, facts.messages.length, sentSoFar),
  ]
}

const mailTools: ReadonlySet<string> = new Set(['resend-email', 'send-email'])

function isMailTool(ref: ToolRef): boolean {
  return lowerAscii(ref.server ?? '') === 'resend' || mailTools.has(lowerAscii(ref.tool))
}

/** Tools of the mail server that send nothing, by the way their names begin. */
function onlyLooks(ref: ToolRef): boolean {
  return ref.server !== undefined && /^(?:get|list|retrieve)[-_]/.test(ref.tool)
}

function unreadable(why: Phrase): MailFacts {
  return { messages: [], unreadable: why }
}

/** One message, a batch as a list, or a batch under `emails`. */
function messagesIn(input: unknown): readonly unknown[] | undefined {
  if (Array.isArray(input)) return input.length === 0 ? undefined : input
  if (!isJsonObject(input)) return undefined
  const batch = own(input, 'emails')
  if (batch === undefined) return [input]
  if (!Array.isArray(batch) || batch.length === 0) return undefined
  // A message beside the batch would go unseen.
  return own(input, 'to') === undefined ? batch : [...batch, input]
}

function readMessage(item: unknown): MailMessage | Phrase {
  if (!isJsonObject(item)) return phrase('mail_message_no_object')
  const hidden = hiddenAddress(item)
  if (hidden !== undefined) return hidden
  const recipients: MailAddress[] = []
  for (const field of ['to', 'cc', 'bcc']) {
    const addresses = addressesIn(item, field)
    if (addresses === undefined) return phrase('mail_field_unreadable', { field })
    recipients.push(...addresses)
  }
  if (recipients.length === 0) return phrase('mail_no_recipient')
  // Answers go there: an address that may not be written to may not be answered to either.
  for (const field of replyFields) {
    const addresses = addressesIn(item, field)
    if (addresses === undefined) return phrase('mail_field_unreadable', { field })
    recipients.push(...addresses)
  }
  if (recipients.length > limits.mailRecipients) return phrase('mail_too_many_recipients')
  const sender = own(item, 'from')
  if (sender === undefined || sender === null) return { from: null, recipients }
  const from = typeof sender === 'string' ? parseAddress(sender) : undefined
  return from === undefined ? phrase('mail_from_unreadable') : { from, recipients }
}

/** As the service spells it, and as its own MCP server does. */
const replyFields: readonly string[] = ['reply_to', 'replyTo']

const readFields: ReadonlySet<string> = new Set(['from', 'to', 'cc', 'bcc', ...replyFields])
const addressFields: ReadonlySet<string> = new Set([...readFields, 'replyto', 'reply-to'])
const addressHeaders = /^(?:resent-)?(?:from|sender|reply-to|to|cc|bcc)$/

/**
 * A service may read fields and headers more leniently than we do: one that could name a sender
 * or a recipient beside those that are judged makes the whole mail unreadable.
 */
function hiddenAddress(item: JsonObject): Phrase | undefined {
  const odd = Object.keys(item).find((field) => {
    const plain = lowerAscii(field).trim()
    return addressFields.has(plain) && !readFields.has(field)
  })
  if (odd !== undefined) return phrase('mail_field_misspelt', { field: odd.slice(0, 20) })
  const headers = own(item, 'headers')
  if (headers === undefined || headers === null) return undefined
  if (!isJsonObject(headers)) return phrase('mail_headers_unreadable')
  const names = Object.keys(headers).map((name) => lowerAscii(name).trim())
  const isBroken = Object.values(headers).some(
    (one) => typeof one !== 'string' || /[\r\n]/.test(one),
  )
  if (isBroken || names.some((name) => /[^!-9;-~]/.test(name)))
    return phrase('mail_headers_unreadable')
  const named = names.find((name) => addressHeaders.test(name))
  return named === undefined ? undefined : phrase('mail_header_names_address', { header: named })
}

/** The addresses of a field; none when it is missing, undefined when it cannot be read. */
function addressesIn(item: JsonObject, field: string): readonly MailAddress[] | undefined {
  const value = own(item, field)
  if (value === undefined || value === null) return []
  const texts = Array.isArray(value) ? value : [value]
  const addresses: MailAddress[] = []
  for (const text of texts.slice(0, limits.mailRecipients + 1)) {
    const parsed = typeof text === 'string' ? parseAddresses(text) : undefined
    if (parsed === undefined) return undefined
    addresses.push(...parsed)
  }
  return addresses
}

function judgeSenders(
  allowed: readonly string[] | undefined,
  messages: readonly MailMessage[],
): ReasonFacts[] {
  if (allowed === undefined) return []
  const path = 'email_config.allowed_from'
  const bad = messages.find(({ from }) => from === null || !isListed(allowed, from))
  if (bad === undefined) return []
  const message =
    bad.from === null
      ? phrase('mail_without_sender')
      : phrase('mail_sender_not_allowed', { sender: bad.from })
  return [{ code: 'email_not_allowed', message, path }]
}

function judgeRecipients(
  allowed: readonly string[] | undefined,
  messages: readonly MailMessage[],
): ReasonFacts[] {
  if (allowed === undefined) return []
  const everyone = new Set(messages.flatMap((message) => message.recipients))
  const bad = [...everyone].filter((one) => !isListed(allowed, one))
  if (bad.length === 0) return []
  const recipients = bad.slice(0, 3)
  const message =
    bad.length > 3
      ? phrase('mail_many_recipients_not_allowed', { recipients, more: bad.length - 3 })
      : phrase('mail_recipients_not_allowed', { recipients })
  return [{ code: 'email_not_allowed', message, path: 'email_config.allowed_to' }]
}

function judgeCount(max: number | undefined, count: number, sentSoFar: number): ReasonFacts[] {
  if (max === undefined || sentSoFar + count <= max) return []
  const message = phrase('mail_limit', { sent: sentSoFar, most: max, count })
  return [{ code: 'email_limit', message, path: 'email_config.max_emails_per_session' }]
}

function isListed(allowed: readonly string[], one: MailAddress): boolean {
  return allowed.some((entry) => coversAddress(entry, one))
}
