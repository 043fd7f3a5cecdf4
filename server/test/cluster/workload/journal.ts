import { closeSync, openSync, writeSync } from 'node:fs'
import { readFile } from 'node:fs/promises'

/** Responses and observations of a client: the checker uses nothing else. */
export type Entry =
  | { readonly kind: 'fault'; readonly fault: string; readonly target: string; readonly isEnd: boolean }
  | {
      readonly kind: 'uploaded'
      readonly projectId: number
      readonly fileId: number
      readonly name: string
      readonly method: string
      readonly sizeBytes: number
      readonly sha256: string
    }
  | { readonly kind: 'created'; readonly projectId: number; readonly fileId: number; readonly name: string }
  | {
      readonly kind: 'changed'
      readonly projectId: number
      readonly fileId: number
      readonly title: string
    }
  | { readonly kind: 'deleted'; readonly projectId: number; readonly fileId: number }
  | {
      readonly kind: 'delivered'
      readonly id: string
      readonly event: string
      readonly subject: string
      readonly sequence: number
    }
  | { readonly kind: 'probe'; readonly probe: Probe; readonly isGood: boolean; readonly tookMs: number }
  | { readonly kind: 'wrong'; readonly text: string }
  | { readonly kind: 'published'; readonly projectId: number; readonly seconds: number }
  /** Availability of a live stream: not wrong during a fault. */
  | { readonly kind: 'interrupted'; readonly text: string }

export type Probe = 'read' | 'write' | 'play' | 'live'
export type Logged = Entry & { readonly atMs: number }

export interface Journal {
  readonly write: (entry: Entry) => void
  readonly close: () => void
}

/** Appends to a file, one line for each entry, before the client continues. */
export const openJournal = (path: string): Journal => {
  const file = openSync(path, 'ax')
  return {
    write: (entry) => void writeSync(file, `${JSON.stringify({ atMs: Date.now(), ...entry })}\n`),
    close: () => closeSync(file),
  }
}

export const readJournal = async (path: string): Promise<Logged[]> =>
  (await readFile(path, 'utf8'))
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Logged)

export const entriesOf = <Kind extends Entry['kind']>(
  journal: readonly Logged[],
  kind: Kind,
): (Extract<Entry, { kind: Kind }> & { readonly atMs: number })[] =>
  journal.filter(
    (entry): entry is Extract<Entry, { kind: Kind }> & { readonly atMs: number } => entry.kind === kind,
  )
