import { type DestinationStream, type Logger, pino } from 'pino'
import { redactText } from '../base/redact.ts'

export type Log = Logger

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'

const secretFields = [
  'authorization',
  'cookie',
  'token',
  'secret',
  'pin',
  'device_code',
  'password',
]

/** Structured lines on standard error: standard output is for data. */
export function createLog(options: {
  readonly level?: LogLevel
  readonly destination?: DestinationStream
}): Log {
  const { level = 'info', destination = pino.destination({ dest: 2, sync: true }) } = options
  return pino(
    {
      level,
      base: { name: 'statewright' },
      redact: {
        paths: secretFields.flatMap((field) => [field, `*.${field}`]),
        censor: '[redacted]',
      },
      // Whatever was written, by whomever: something like a key does not leave in it.
      hooks: { streamWrite: redactText },
    },
    destination,
  )
}
