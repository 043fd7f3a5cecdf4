/** Not all viewers at once. */
const afterMs = { least: 2_000, most: 6_000 }
/** Where that has not helped: a page must not be loaded again and again for something that no policy will ever allow. */
const againAfterMs = { least: 60_000, most: 180_000 }

/** How long to wait, when the page itself was come by like that. `share` lies between 0 and 1. */
export const reloadDelayMs = (navigationType: string | undefined, share: number): number => {
  const { least, most } = navigationType === 'reload' ? againAfterMs : afterMs
  return least + share * (most - least)
}

/** The policy of a page knows the live nodes of its time. One that came later is met by a page that is loaded anew. */
export const reloadForNewNodes = (): void => {
  let isDue = false
  document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => {
    if (isDue || (effectiveDirective !== 'connect-src' && effectiveDirective !== 'media-src')) return
    isDue = true
    const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
    setTimeout(() => location.reload(), reloadDelayMs(navigation?.type, Math.random()))
  })
}
