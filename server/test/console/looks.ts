import type { Page } from 'playwright-core'

/** What moved by more than a trace since this time of the page (Layout Instability, W3C). */
export const movedElements = (page: Page, sinceMs = 0): Promise<string[]> =>
  page.evaluate((since) => {
    interface Shift extends PerformanceEntry {
      readonly value: number
      readonly hadRecentInput: boolean
      readonly sources: readonly { readonly node: Node | null }[]
    }
    const seen = Promise.withResolvers<string[]>()
    new PerformanceObserver((list) =>
      seen.resolve(
        (list.getEntries() as Shift[])
          .filter(
            ({ value, startTime, hadRecentInput }) => value > 0.001 && startTime >= since && !hadRecentInput,
          )
          .flatMap(({ value, sources }) =>
            sources.map(({ node }) => `moved ${value.toFixed(4)} ${(node?.textContent ?? '').slice(0, 60)}`),
          ),
      ),
    ).observe({ type: 'layout-shift', buffered: true })
    // Without any entry, the observer is not called.
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => seen.resolve([]))))
    return seen.promise
  }, sinceMs)

/** Texts that a box cuts off, and boxes that are wider than the window. A mouse shows a cut text as `title`. */
export const cutTexts = (page: Page, { hasMouse }: { readonly hasMouse: boolean }): Promise<string[]> =>
  page.evaluate((canHover) => {
    const isHidden = (box: DOMRect): boolean => box.width <= 1 || box.height <= 1
    const clips = (value: string): boolean => value === 'hidden' || value === 'clip'
    const cutBy = (element: Element, text: DOMRect): boolean => {
      for (
        let box: Element | null = element;
        box !== null && box !== document.body;
        box = box.parentElement
      ) {
        const style = getComputedStyle(box)
        const edge = box.getBoundingClientRect()
        // Hidden for the eye, and what scrolls can be reached.
        if (canHover && box.hasAttribute('title')) return false
        if (isHidden(edge) || style.overflowX === 'auto' || style.overflowX === 'scroll') return false
        if (clips(style.overflowX) && (text.right > edge.right + 1 || text.left < edge.left - 1)) return true
        if (clips(style.overflowY) && text.bottom > edge.bottom + 2) return true
        if (style.position === 'fixed') return false
      }
      return false
    }
    const found = document.documentElement.scrollWidth > innerWidth ? ['wider than the window'] : []
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {
      const { currentNode: text } = texts
      const element = text.parentElement
      if (element === null || text.textContent?.trim() === '' || !element.checkVisibility()) continue
      const range = document.createRange()
      range.selectNodeContents(text)
      const cut = [...range.getClientRects()].some((box) => !isHidden(box) && cutBy(element, box))
      if (cut) found.push(`cut off: ${text.textContent?.trim().slice(0, 60)}`)
    }
    return found
  }, hasMouse)
