/** The editable fields of a record as a flat object. */
export type Fields = Readonly<Record<string, unknown>>

interface Edit {
  readonly value: unknown
  /** Value at the start of the edit. A different value in the record means a concurrent change. */
  readonly base: unknown
}

export type Edits = Readonly<Record<string, Edit>>

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** Restoring the original value removes the edit. */
export const withEdit = (fields: Fields, edits: Edits, name: string, value: unknown): Edits => {
  const { [name]: before, ...others } = edits
  if (same(value, fields[name])) return others
  return { ...others, [name]: { value, base: before === undefined ? fields[name] : before.base } }
}

export const onlyEdits = (edits: Edits, names: readonly string[]): Edits =>
  Object.fromEntries(Object.entries(edits).filter(([name]) => names.includes(name)))

export const withoutEdits = (edits: Edits, names: readonly string[]): Edits =>
  Object.fromEntries(Object.entries(edits).filter(([name]) => !names.includes(name)))

/** Fields changed both here and concurrently, to different values. */
export const conflictsOf = (fields: Fields, edits: Edits): string[] =>
  Object.entries(edits)
    .filter(([name, { value, base }]) => !same(fields[name], base) && !same(fields[name], value))
    .map(([name]) => name)

/** Resolves conflicts in favour of the user's own values. */
export const insistOn = (fields: Fields, edits: Edits, names: readonly string[]): Edits => ({
  ...edits,
  ...Object.fromEntries(
    names.map((name) => [name, { value: edits[name]?.value, base: fields[name] }] as const),
  ),
})

/** Returns the edits that remain after a save: those made during the request. */
export const afterSave = (fields: Fields, edits: Edits, sent: Edits): Edits =>
  Object.fromEntries(
    Object.entries(edits).flatMap(([name, edit]) => {
      const before = sent[name]
      if (before === undefined) return [[name, edit]]
      return same(edit.value, before.value) ? [] : [[name, { value: edit.value, base: fields[name] }]]
    }),
  )

/** The edited fields with their new values. */
export const changedOf = (edits: Edits): Fields =>
  Object.fromEntries(Object.entries(edits).map(([name, { value }]) => [name, value]))
