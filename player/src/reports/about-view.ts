/** Custom dimensions are options of the page with this prefix. */
const customPrefix = 'data-'
const mostCustom = 10

/** Origin of the page around the player. Its path is known only if the page names it. */
const originAround = (options: URLSearchParams, referrer: string): string => {
  const named = options.get('origin') ?? referrer
  return URL.canParse(named) ? new URL(named).origin : ''
}

/** Returns the query of the address of reports: what the page says about all its views. */
export const aboutView = (search: string, referrer: string, isFramed: boolean): string => {
  const options = new URLSearchParams(search)
  const about = new URLSearchParams({ player: 'zoetrope' })
  const path = options.get('page') ?? ''
  const page = (isFramed ? originAround(options, referrer) : '') + (/^\/(?!\/)/.test(path) ? path : '')
  if (page !== '') about.set('page', page)
  const custom = [...options].filter(([name]) => name.startsWith(customPrefix))
  for (const [name, value] of custom.slice(0, mostCustom)) about.set(name, value)
  return `?${about}`
}
