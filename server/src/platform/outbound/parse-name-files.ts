/** Returns the addresses of each name in a hosts file; names in lower case, addresses unchanged. */
export const parseHosts = (text: string): ReadonlyMap<string, readonly string[]> => {
  const addressesOf = new Map<string, string[]>()
  for (const line of text.split('\n')) {
    const [address, ...names] = (line.split('#')[0] ?? '').trim().split(/\s+/)
    if (address === undefined) continue
    for (const name of names.map((one) => one.toLowerCase()))
      addressesOf.set(name, [...(addressesOf.get(name) ?? []), address])
  }
  return addressesOf
}

export interface SearchList {
  readonly domains: readonly string[]
  /** A name with at least this many dots is queried unchanged before the search domains. */
  readonly dotCount: number
}

/** resolv.conf(5): the last `search` or `domain` counts. */
export const parseSearchList = (text: string): SearchList => {
  const lines = text.split('\n').map((line) => line.trim().split(/\s+/))
  const [, ...domains] = lines.findLast(([word]) => word === 'search' || word === 'domain') ?? []
  const dots = lines
    .filter(([word]) => word === 'options')
    .flatMap((words) => words.map((word) => /^ndots:(\d{1,2})$/.exec(word)?.[1]))
    .findLast((found) => found !== undefined)
  return {
    domains: domains.map((domain) => domain.replace(/\.$/, '')).filter((domain) => domain !== ''),
    dotCount: Number(dots ?? 1),
  }
}

/** Returns the names to query, in order, until one has an answer. */
export const candidatesOf = (name: string, { domains, dotCount }: SearchList): readonly string[] => {
  if (name.endsWith('.')) return [name.slice(0, -1)]
  const searched = domains.map((domain) => `${name}.${domain}`)
  return name.split('.').length > dotCount ? [name, ...searched] : [...searched, name]
}
