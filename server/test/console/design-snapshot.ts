import { mkdir, readFile, writeFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'

const folder = new URL('snapshots/', import.meta.url)

/** Small enough to ignore how a machine smooths edges, large enough to see a wrong colour, size or place. */
const scale = 1 / 6

/** Mean difference of two pictures, of 255. Runs in the browser, which decodes and scales pictures. */
const compare = async ([taken, kept, width]: [string, string, number]) => {
  const load = async (base64: string) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
    const picture = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
    const height = Math.round((picture.height * width) / picture.width)
    const canvas = new OffscreenCanvas(width, height)
    const context = canvas.getContext('2d')
    if (context === null) throw new Error('no canvas')
    context.imageSmoothingQuality = 'high'
    context.drawImage(picture, 0, 0, width, height)
    return { canvas, height, pixels: context.getImageData(0, 0, width, height).data }
  }
  const now = await load(taken)
  const small = new Uint8Array(await (await now.canvas.convertToBlob()).arrayBuffer())
  const picture = btoa(Array.from(small, (byte) => String.fromCodePoint(byte)).join(''))
  if (kept === '') return { picture, difference: 0 }
  const before = await load(kept)
  if (Math.abs(now.height - before.height) > 3) return { picture, difference: 255 }
  const count = Math.min(now.pixels.length, before.pixels.length)
  let sum = 0
  for (let at = 0; at < count; at += 1) sum += Math.abs((now.pixels[at] ?? 0) - (before.pixels[at] ?? 0))
  return { picture, difference: sum / count }
}

/**
 * Compares the whole page with the picture of this name, and returns the mean difference of 255. To renew a
 * picture, delete it and run the test.
 */
export const differenceFromSnapshot = async (page: Page, name: string): Promise<number> => {
  const file = new URL(`${name}.png`, folder)
  const kept = await readFile(file, 'base64').catch(() => '')
  const taken = await page.screenshot({ fullPage: true, animations: 'disabled' })
  const { picture, difference } = await page.evaluate(compare, [
    taken.toString('base64'),
    kept,
    Math.round((page.viewportSize()?.width ?? 0) * scale),
  ] as [string, string, number])
  if (kept === '') {
    await mkdir(folder, { recursive: true })
    await writeFile(file, Buffer.from(picture, 'base64'))
  }
  return difference
}
