/** The edits that remain after a save: those made during the request. */
export const withoutSent = <Edits extends object>(edits: Edits, sent: Edits): Edits => {
  const saved: Readonly<Record<string, unknown>> = { ...sent }
  return Object.fromEntries(
    Object.entries(edits).filter(([name, value]) => !(name in saved) || value !== saved[name]),
  ) as Edits
}
