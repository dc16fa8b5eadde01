/**
 * Reads a key that came from outside. `states['constructor']` is not a state: only the object's
 * own keys count.
 */
export function own<Value>(
  record: Readonly<Record<string, Value>> | undefined,
  key: string,
): Value | undefined {
  return record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined
}
