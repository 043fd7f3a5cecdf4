/** The edits that remain after a save: those made during the request. */
export const withoutSent = <Edits extends object>(edits: Edits, sent: Edits): Edits => {
  const saved = new Map<string, unknown>(Object.entries(sent))
  return Object.fromEntries(
    Object.entries(edits).filter(([name, value]) => !saved.has(name) || value !== saved.get(name)),
  ) as Edits
}
