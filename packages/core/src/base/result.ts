/** What came of something that may fail for a reason the caller can act on. */
export type Result<Value, Failure> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: Failure }

export function ok<Value>(value: Value): { readonly ok: true; readonly value: Value } {
  return { ok: true, value }
}

export function err<Failure>(error: Failure): { readonly ok: false; readonly error: Failure } {
  return { ok: false, error }
}
