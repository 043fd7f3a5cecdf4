/**
 * Chooses the first free name of each rendition from its candidates. RFC 8216, section 4.3.4.1.1: names are
 * unique within a group.
 */
export const distinctNames = (candidates: readonly Iterable<string>[]): string[] => {
  const taken = new Set<string>()
  return candidates.map((names) => {
    for (const name of names) {
      if (taken.has(name)) continue
      taken.add(name)
      return name
    }
    return ''
  })
}
