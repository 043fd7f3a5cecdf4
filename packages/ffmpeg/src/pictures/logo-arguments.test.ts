import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { ffprobeValues, makeMedia, useFolder } from '../../test-support/sample-media.ts'
import { logoArguments, logoSize } from './logo-arguments.ts'
import { runFfmpeg } from '../run/run-ffmpeg.ts'

const inFolder = useFolder()

test.each([
  [{ widthPixels: 64, heightPixels: 32, orientation: 1 }, [64, 32]],
  [{ widthPixels: 64, heightPixels: 32, orientation: 6 }, [32, 64]],
  [{ widthPixels: 4_000, heightPixels: 1_000, orientation: 1 }, [640, 160]],
  [{ widthPixels: 1_000, heightPixels: 4_000, orientation: 1 }, [80, 320]],
  [{ widthPixels: 3_001, heightPixels: 301, orientation: 1 }, [640, 64]],
])('scales %o to %o pixels', (picture, size) => {
  const { widthPixels, heightPixels } = logoSize({ inputPath: '', format: 'png', ...picture })
  expect([widthPixels, heightPixels]).toEqual(size)
})

const draw = async (format: 'jpeg' | 'png' | 'webp', inputPath: string): Promise<string> => {
  const outputPath = inFolder(`drawn-${format}`)
  const input = { inputPath, format, widthPixels: 1_280, heightPixels: 64, orientation: 1 } as const
  await runFfmpeg(logoArguments({ ...input, outputPath }), { outputPipes: 0, workFolder: inFolder('.') }).done
  return outputPath
}

test('keeps transparency, including at edges, and colors', async () => {
  const source = [
    '-f',
    'lavfi',
    '-i',
    "color=white:size=1280x64,format=rgba,geq=r=255:g=128:b=0:a='255*lt(X,W/2)'",
  ]
  const inputPath = await makeMedia(inFolder('logo.png'), ...source, '-frames:v', '1')
  const path = await draw('png', inputPath)
  expect(await ffprobeValues(path, 'stream=codec_name,width,height')).toEqual(['png', '640', '32'])
  const rawPath = await makeMedia(inFolder('logo.raw'), '-i', path, '-pix_fmt', 'rgba', '-f', 'rawvideo')
  const pixels = await readFile(rawPath)
  const at = (x: number): number[] => [...pixels.subarray(4 * x, 4 * x + 4)]
  expect(at(600)[3]).toBe(0)
  for (const x of [10, 318, 319])
    for (const [index, value] of [255, 128, 0].entries())
      expect(Math.abs((at(x)[index] ?? 0) - value)).toBeLessThan(8)
  expect(at(10)[3]).toBe(255)
})

test.each([
  ['jpeg', 'jpg', 'mjpeg'],
  ['webp', 'webp', 'png'],
] as const)('re-encodes %s in a format that browsers support', async (format, extension, codec) => {
  const source = ['-f', 'lavfi', '-i', 'testsrc2=size=1280x64', '-frames:v', '1']
  const inputPath = await makeMedia(
    inFolder(`logo.${extension}`),
    ...source,
    ...['-pix_fmt', format === 'jpeg' ? 'yuvj420p' : 'yuv420p'],
  )
  const path = await draw(format, inputPath)
  expect(await ffprobeValues(path, 'stream=codec_name,width,height')).toEqual([codec, '640', '32'])
})
