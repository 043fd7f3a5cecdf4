import { createHash } from 'node:crypto'
import { parseMediaPlaylist, parseMultivariantPlaylist } from '@zoetrope/hls'
import type { Client } from '../workload/client.ts'
import { entriesOf, type Logged } from '../workload/journal.ts'
import { lost, wrong, type Finding } from './findings.ts'

export interface FileRow {
  readonly id: number
  readonly state: string
  readonly error: string | null
  readonly sourceBlob: string | null
}

const load = async (client: Client, url: string): Promise<string> =>
  (await client.insist(url, [200])).body as string

/** Loads every playlist and every segment, as a player that shows the whole file in each quality. */
const play = async (client: Client, hls: string): Promise<void> => {
  const { variants, renditions } = parseMultivariantPlaylist(await load(client, hls))
  const uris = [...variants, ...renditions].flatMap(({ uri }) => uri ?? [])
  if (uris.length === 0) throw new Error('the playlist has no variants')
  for (const uri of new Set(uris)) {
    const url = new URL(uri, hls)
    const { segments, initUri, hasEnded } = parseMediaPlaylist(await load(client, url.href))
    if (!hasEnded) throw new Error(`${uri} has no end`)
    for (const piece of [initUri, ...segments.map((segment) => segment.uri)])
      if (piece !== undefined) await load(client, new URL(piece, url).href)
  }
}

export interface StoredFiles {
  readonly rows: ReadonlyMap<number, FileRow>
  readonly readBlob: (key: string) => Promise<Buffer>
}

/** Each acknowledged upload is there with the bytes that were sent, and plays. */
export const checkUploads = async (
  journal: readonly Logged[],
  client: Client,
  { rows, readBlob }: StoredFiles,
): Promise<Finding[]> => {
  const findings: Finding[] = []
  const deleted = new Set(entriesOf(journal, 'deleted').map(({ fileId }) => fileId))
  for (const { projectId, fileId, sha256, method, name } of entriesOf(journal, 'uploaded')) {
    if (deleted.has(fileId)) continue
    const title = `${name} (file ${fileId}, ${method})`
    const row = rows.get(fileId)
    if (row?.sourceBlob == null) {
      findings.push(lost(`${title} has no source; it is ${row?.state ?? 'not there'} ${row?.error ?? ''}`))
      continue
    }
    try {
      const found = createHash('sha256')
        .update(await readBlob(row.sourceBlob))
        .digest('hex')
      if (found !== sha256) findings.push(wrong(`${title} has other bytes than were sent`))
    } catch (error) {
      findings.push(lost(`the source of ${title} cannot be read: ${(error as Error).message}`))
    }
    if (row.state !== 'finished') {
      findings.push(wrong(`${title} is ${row.state}: ${row.error}`))
      continue
    }
    try {
      const { body } = await client.insist(`/v3/projects/${projectId}/files/${fileId}`, [200])
      await play(client, body.Playouts[0].HLS)
    } catch (error) {
      findings.push(wrong(`${title} does not play: ${(error as Error).message}`))
    }
  }
  return findings
}

/** Each acknowledged change, creation and deletion of a record is what the API says now. */
export const checkRecords = async (journal: readonly Logged[], client: Client): Promise<Finding[]> => {
  const findings: Finding[] = []
  const lastTitles = new Map(entriesOf(journal, 'changed').map((entry) => [entry.fileId, entry]))
  for (const { projectId, fileId, title } of lastTitles.values()) {
    const { status, body } = await client.insist(`/v3/projects/${projectId}/files/${fileId}`, [200, 404])
    if (status === 404 || body.Metadata.Title !== title)
      findings.push(lost(`file ${fileId} is "${body.Metadata?.Title}" instead of "${title}"`))
  }
  for (const { projectId, fileId } of entriesOf(journal, 'created')) {
    const { status } = await client.insist(`/v3/projects/${projectId}/files/${fileId}`, [200, 404])
    if (status === 404) findings.push(lost(`file ${fileId} was created and is not there`))
  }
  for (const { projectId, fileId } of entriesOf(journal, 'deleted')) {
    const { status, body } = await client.insist(`/v3/projects/${projectId}/files/${fileId}`, [200, 404])
    if (status !== 404 && body.DeletedAt == null)
      findings.push(lost(`the deletion of file ${fileId} was acknowledged, but it is there`))
  }
  return findings
}
