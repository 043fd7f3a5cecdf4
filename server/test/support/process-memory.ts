import { open, readFile } from 'node:fs/promises'

const chunkBytes = 16 * 1024 * 1024

/** Returns which of the needles are in the writable memory of another process. */
export const findInMemory = async (
  pid: number,
  needles: Readonly<Record<string, Buffer>>,
): Promise<string[]> => {
  const maps = await readFile(`/proc/${pid}/maps`, 'utf8')
  const areas = [...maps.matchAll(/^([0-9a-f]+)-([0-9a-f]+) rw/gm)]
  const overlap = Math.max(...Object.values(needles).map(({ length }) => length)) - 1
  const found = new Set<string>()
  await using memory = await open(`/proc/${pid}/mem`)
  for (const [, from, to] of areas) {
    const end = Number.parseInt(to ?? '', 16)
    for (let at = Number.parseInt(from ?? '', 16); at < end; at += chunkBytes - overlap) {
      const part = Buffer.alloc(Math.min(chunkBytes, end - at))
      // The process may have released the pages meanwhile.
      const { bytesRead } = await memory.read(part, 0, part.length, at).catch(() => ({ bytesRead: 0 }))
      for (const [name, needle] of Object.entries(needles))
        if (part.subarray(0, bytesRead).includes(needle)) found.add(name)
    }
  }
  return [...found].sort()
}
