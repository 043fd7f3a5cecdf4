import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { fileIncludes } from './file-includes.ts'

const wanted = Buffer.from('GA94')

test('finds bytes at the start, at the end, across any boundary of chunks, and nothing else', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'zoetrope-includes-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = join(folder, 'file')
  const isIn = async (text: string): Promise<boolean> => {
    await writeFile(path, text)
    return fileIncludes(path, wanted, { signal: AbortSignal.timeout(10_000), chunkBytes: 5 })
  }
  for (let before = 0; before < 17; before += 1)
    for (const after of ['', '.', '......'])
      expect(await isIn(`${'.'.repeat(before)}GA94${after}`)).toBe(true)
  for (const text of ['', 'GA9', 'GA9.4', 'GA9GA9GA9', 'GGAA9944.'.repeat(5)])
    expect(await isIn(text)).toBe(false)
})
