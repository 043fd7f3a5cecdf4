import { stat } from 'node:fs/promises'
import type { Probe } from './probe.ts'

const maxProbes = 64

/** Two writes within one tick of the clock of a file system (10 ms at most) leave the same time. */
const settledMs = 20

const probes = new Map<string, Probe>()

/** Identifies the bytes of a file. Null if they changed so recently that the next write could keep the time. */
export const identityOf = async (path: string): Promise<string | null> => {
  const { dev, ino, size, mtimeNs, mtimeMs } = await stat(path, { bigint: true })
  if (Date.now() - Number(mtimeMs) < settledMs) return null
  return `${dev} ${ino} ${size} ${mtimeNs}`
}

export const knownProbe = (identity: string): Probe | null => probes.get(identity) ?? null

/** Keeps the latest 64 probes of this process. */
export const keepProbe = (identity: string, probe: Probe): void => {
  probes.set(identity, probe)
  const [oldest] = probes.keys()
  if (probes.size > maxProbes && oldest !== undefined) probes.delete(oldest)
}
