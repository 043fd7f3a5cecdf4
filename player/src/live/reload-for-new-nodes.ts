/** A random delay spreads the reloads of all viewers. */
const afterMs = { least: 2_000, most: 6_000 }
/** Delay when a reload did not help: a page must not reload endlessly for a URL that no policy will allow. */
const againAfterMs = { least: 60_000, most: 180_000 }

/** Returns the reload delay for this navigation type. `share` lies between 0 and 1. */
export const reloadDelayMs = (navigationType: string | undefined, share: number): number => {
  const { least, most } = navigationType === 'reload' ? againAfterMs : afterMs
  return least + share * (most - least)
}

/** The policy of a page lists the live nodes at load time. The page reloads when it meets a newer node. */
export const reloadForNewNodes = (): void => {
  let isDue = false
  document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => {
    if (isDue || (effectiveDirective !== 'connect-src' && effectiveDirective !== 'media-src')) return
    isDue = true
    const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
    setTimeout(() => location.reload(), reloadDelayMs(navigation?.type, Math.random()))
  })
}
