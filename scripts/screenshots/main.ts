import { copyFile, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Zoetrope } from '@zoetrope/sdk'
import { findFreePort } from '../../server/test/support/free-port.ts'
import { startProduct } from '../../server/test/support/product.ts'
import { fillProduct } from './fill-product.ts'
import { openBrowser, photographScreens, shownUrl, type Person } from './photograph.ts'
import { pictures } from './pictures.ts'
import { encodeStory } from './recording.ts'
import { filmStory, type Take } from './story.ts'

/** Makes the pictures of the README from the running product: `npm run screenshots`. It needs ffmpeg and Chromium. */

const takeCount = 5
const target = fileURLToPath(new URL('../../docs/pictures/', import.meta.url))

const inviteEditor = async (zoetrope: Zoetrope, productUrl: string): Promise<Person> => {
  const person = { email: 'kim.lee@example.com', password: 'three quiet lighthouses' }
  const { Token } = await zoetrope.invitations.create({ Email: person.email, Role: 'Administrator' })
  const answer = await fetch(`${productUrl}/v3/session/invitation`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ Token, Password: person.password, Name: 'Kim Lee' }),
  })
  if (!answer.ok) throw new Error(`cannot accept the invitation: ${await answer.text()}`)
  return person
}

const { values } = parseArgs({ options: { keep: { type: 'string' } } })
const folder = await mkdtemp(join(tmpdir(), 'zoetrope-screenshots-'))
const [port, rtmpPort] = [await findFreePort(), await findFreePort()]
const product = await startProduct(join(folder, 'data'), port, {
  ZOETROPE_PUBLIC_URL: shownUrl,
  ZOETROPE_RTMP_PORT: String(rtmpPort),
})
const browser = await openBrowser(product.url)
try {
  const zoetrope = new Zoetrope({ baseUrl: product.url, apiKey: product.apiKey })
  const person = await inviteEditor(zoetrope, product.url)
  const installation = { zoetrope, productUrl: product.url, apiKey: product.apiKey }
  const filled = await fillProduct(installation, folder)
  try {
    await photographScreens(browser, product.url, filled, person, folder)
  } finally {
    filled.stop()
  }
  const { projectId } = filled
  const video = join(folder, 'aurora.mp4')
  // Other programs on the machine delay what some takes show, or the moment at which the script sees the upload end.
  const takes: Take[] = []
  for (let number = 1; number <= takeCount; number += 1)
    takes.push(
      await filmStory({ ...installation, browser, projectId, video, folder: join(folder, `take-${number}`) }),
    )
  const middle = takes.toSorted((one, other) => one.seconds - other.seconds)[Math.floor(takeCount / 2)]
  if (middle === undefined) throw new Error('no take was recorded')
  console.log(`playable ${middle.seconds.toFixed(2)} s after the last byte`)
  await encodeStory(middle.frames, folder)
  for (const name of pictures) {
    await copyFile(join(folder, name), join(values.keep ?? target, name))
    console.log(name, (await stat(join(folder, name))).size)
  }
} finally {
  await browser.close()
  await product.stop()
  await rm(folder, { recursive: true, force: true })
}
