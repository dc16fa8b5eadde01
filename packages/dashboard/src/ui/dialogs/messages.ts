export interface Message {
  readonly tone: 'good' | 'bad' | 'plain'
  readonly title: string
  readonly description: string
}

/** What was said before there was a place to show it. */
const waiting: Message[] = []
let send: (message: Message) => void = (message) => waiting.push(message)
let open: () => void = () => {}

/** Hears of the first message, also of one that came before. */
export function onFirstMessage(listener: () => void): void {
  open = listener
  if (waiting.length > 0) listener()
}

/** Says briefly what happened. A fault that asks for something to be done stays on its page. */
export function toast(tone: Message['tone'], title: string, description = ''): void {
  open()
  send({ tone, title, description })
}

/** Shows what was said so far, and from now on what is said. */
export function showMessages(show: (message: Message) => void): void {
  send = show
  for (const message of waiting.splice(0)) show(message)
}
