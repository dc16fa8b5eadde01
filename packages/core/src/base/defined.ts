type Simple<Fields> = { [Key in keyof Fields]: Fields[Key] }

/** The same fields; those that may be undefined may now be missing instead. */
export type Defined<Fields> = Simple<
  { [Key in keyof Fields as undefined extends Fields[Key] ? never : Key]: Fields[Key] } & {
    [Key in keyof Fields as undefined extends Fields[Key] ? Key : never]?: Exclude<
      Fields[Key],
      undefined
    >
  }
>

/** Leaves out what is not there: a field that is missing and one that is undefined are not one. */
export function defined<Fields extends object>(fields: Fields): Defined<Fields> {
  const there = Object.entries(fields).filter(([, value]) => value !== undefined)
  return Object.fromEntries(there) as Defined<Fields> // Exactly the fields that have a value.
}
