import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { closePages, openBrowser } from './browser.ts'
import type { GuideBlock } from './guide-blocks.ts'

/**
 * Serves the last HTML block of a guide and its scripts as a page of another origin and opens it in Chromium.
 * Resolves with the errors once the embedded video plays.
 */
export const playGuidePage = async (
  blocks: readonly GuideBlock[],
  { url, playoutId }: { readonly url: string; readonly playoutId: string },
): Promise<string[]> => {
  const frame = blocks.findLast(({ language }) => language === 'html')?.code ?? ''
  const scripts = blocks.filter(({ language }) => language === 'js').map(({ code }) => code)
  const page =
    `<!doctype html><title>Guide</title>\n${frame}<script type="module">\n${scripts.join('\n')}</script>`
      .replaceAll('https://video.example.com', url)
      .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, playoutId)
  const site = createServer((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(page)
  })
  site.listen(0, '127.0.0.1')
  await once(site, 'listening')
  const browser = await openBrowser()
  try {
    const reader = await browser.newPage()
    const errors: string[] = []
    reader.on('pageerror', (error) => errors.push(error.message))
    await reader.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`)
    await reader
      .frameLocator('iframe')
      .locator('video')
      .evaluate(
        (video) =>
          new Promise<void>((resolve) => {
            const look = (): void => {
              if ((video as HTMLVideoElement).currentTime > 0) resolve()
            }
            video.addEventListener('timeupdate', look)
            look()
          }),
      )
    return errors
  } finally {
    await closePages(browser)
    site.close()
  }
}
