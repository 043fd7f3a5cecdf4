import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Zoetrope } from '@zoetrope/sdk'
import type { Browser, Page } from 'playwright-core'
import type { Installation } from './fill-product.ts'
import { shownUrl } from './photograph.ts'
import { recordPage, type Frame } from './recording.ts'

const playMs = 4_500
const fontFile = createRequire(import.meta.url).resolve(
  '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2',
)

const show = (page: Page, selector: string, text: string): Promise<void> =>
  page.locator(selector).evaluate((element, value) => {
    element.textContent = value
  }, text)

const type = async (page: Page, text: string): Promise<void> => {
  for (let end = 3; end < text.length + 3; end += 3) {
    await show(page, '#typed', text.slice(0, end))
    await page.waitForTimeout(40)
  }
}

interface Delivery {
  readonly event: string
  readonly fileId: number
  readonly arrivedAt: number
}

/** A back end that checks each signature with the SDK, reports the events in the order of arrival, and serves the page. */
const startBackEnd = async (zoetrope: Zoetrope, onDelivery: (delivery: Delivery) => void) => {
  let secret = ''
  const storyPage = await readFile(new URL('story.html', import.meta.url))
  const font = await readFile(fontFile)
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<unknown> => {
    if (request.url === '/inter.woff2') return response.end(font)
    if (request.method === 'GET') return response.setHeader('Content-Type', 'text/html').end(storyPage)
    const arrivedAt = performance.now()
    const body = Buffer.concat(await request.toArray())
    const events = await zoetrope.webhooks.unwrap(body, request.headers, secret)
    response.writeHead(204).end()
    for (const event of events)
      if ('File' in event && event.File !== undefined)
        onDelivery({ event: event.Event, fileId: event.File.Id, arrivedAt })
    return undefined
  }
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error as Error))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const webhook = await zoetrope.webhooks.create({
    TargetURL: `${url}/hooks/zoetrope`,
    EventTypes: ['file.*'],
  })
  secret = webhook.Secret
  return {
    url,
    stop: async (): Promise<void> => {
      await zoetrope.webhooks.delete(webhook.Id)
      server.close()
    },
  }
}

/** Uploads with curl at a limited rate, so that the progress can be seen, and returns the time of its end. */
const upload = async (
  file: string,
  target: string,
  apiKey: string,
  onPercent: (percent: number) => void,
): Promise<{ readonly endedAt: number; readonly answer: string }> => {
  const child = spawn(
    'curl',
    [
      ...['--progress-bar', '--limit-rate', '400K', '-X', 'POST', '-T', file],
      ...['-H', `Authorization: Bearer ${apiKey}`, '-H', 'Content-Type: video/mp4', target],
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let answer = ''
  child.stdout.on('data', (part: Buffer) => (answer += String(part)))
  child.stderr.on('data', (part: Buffer) => {
    const percent = [...String(part).matchAll(/([\d.]+)%/g)].at(-1)?.[1]
    if (percent !== undefined) onPercent(Number(percent))
  })
  const [code] = (await once(child, 'close')) as [number]
  if (code !== 0) throw new Error(`curl ended with status ${code}`)
  return { endedAt: performance.now(), answer }
}

const addEvent = (page: Page, event: string, offset: string): Promise<void> =>
  page.locator('#events ol').evaluate(
    (list, [name, time]) => {
      const item = document.createElement('li')
      item.innerHTML = `<span></span><i></i><em>✓ signed</em>`
      item.children[0]!.textContent = name ?? ''
      item.children[1]!.textContent = time ?? ''
      if (name === 'file.playable') item.className = 'now'
      list.append(item)
    },
    [event, offset] as const,
  )

export interface Take {
  /** From the end of the upload to the webhook `file.playable`. */
  readonly seconds: number
  readonly frames: readonly Frame[]
}

export interface StoryOptions extends Installation {
  readonly browser: Browser
  readonly projectId: number
  readonly video: string
  readonly folder: string
}

/** Films a real upload: curl sends a video, the player shows it, and the webhook arrives. */
export const filmStory = async (options: StoryOptions): Promise<Take> => {
  const { browser, zoetrope, projectId, folder } = options
  const arrived: Delivery[] = []
  let noticeDelivery = (): void => {}
  const backEnd = await startBackEnd(zoetrope, (delivery) => {
    arrived.push(delivery)
    noticeDelivery()
  })
  const page = await browser.newPage({ viewport: { width: 960, height: 540 }, colorScheme: 'dark' })
  await page.goto(backEnd.url)
  const stop = await recordPage(page, join(folder, 'frames'))
  await type(
    page,
    'curl -T aurora.mp4 -X POST \\\n  -H "Authorization: Bearer $KEY" \\\n  -H "Content-Type: video/mp4" \\\n  "$API/projects/2/files?fileName=aurora.mp4"\n',
  )
  const target = `${options.productUrl}/v3/projects/${projectId}/files?fileName=aurora.mp4`
  const { endedAt, answer } = await upload(options.video, target, options.apiKey, (percent) => {
    const filled = Math.round(percent / 5)
    void show(page, '#bar', `${'█'.repeat(filled)}${'░'.repeat(20 - filled)} ${percent.toFixed(0)} %\n`)
  })
  const { Id, Status } = JSON.parse(answer) as { readonly Id: number; readonly Status: string }
  await show(page, '#answer', `{"Id": ${Id}, "Status": "${Status}", …}`)
  const ofUpload = (): Delivery[] => arrived.filter(({ fileId }) => fileId === Id)
  const findPlayable = (): Delivery | undefined => ofUpload().find(({ event }) => event === 'file.playable')
  while (findPlayable() === undefined)
    await new Promise<void>((resolve) => {
      noticeDelivery = resolve
    })
  const file = await zoetrope.files.get(projectId, Id)
  await page.locator('.stage').evaluate((stage, source) => {
    const frame = document.createElement('iframe')
    frame.src = source
    frame.allow = 'autoplay; fullscreen'
    stage.append(frame)
    frame.addEventListener('load', () => stage.querySelector('.idle')?.remove())
  }, `${shownUrl}/embed/${file.Playouts[0]?.Id}?autoplay=1&muted=1`)
  const secondsOf = ({ arrivedAt }: Delivery): number => (arrivedAt - endedAt) / 1_000
  const measured = Math.max(0, secondsOf(findPlayable()!))
  await show(page, '#address', 'video.example.com')
  await show(page, '#what', 'Playable after the upload')
  await show(page, '#time', `${measured.toFixed(2)} s`)
  await show(page, '#note', 'It plays from its own bytes, without encoding.')
  const shown = new Set<Delivery>()
  const until = performance.now() + playMs
  while (performance.now() < until) {
    for (const delivery of ofUpload().filter((one) => !shown.has(one) && one.event !== 'file.created')) {
      shown.add(delivery)
      const seconds = secondsOf(delivery)
      await addEvent(page, delivery.event, `${seconds < 0 ? '−' : '+'}${Math.abs(seconds).toFixed(2)} s`)
    }
    await page.waitForTimeout(50)
  }
  const frames = await stop()
  await backEnd.stop()
  await page.close()
  // The encoder of this take must not delay the next one.
  await zoetrope.files.waitFor(projectId, Id, 'finished')
  return { seconds: measured, frames }
}
