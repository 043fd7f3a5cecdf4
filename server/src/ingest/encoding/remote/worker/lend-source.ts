import { createLocalCopies } from '../../../../platform/blobs/local-copies.ts'
import type { LendSource } from '../../chunks/with-source-ranges.ts'
import type { RemoteJob } from '../remote-task.ts'
import type { JobConnection } from './server-connection.ts'

/** Lends a local copy of the source, of which only the planned ranges are fetched. */
export const lendSource = (
  { Claim: key, Source: { Etag: etag, SizeBytes: sizeBytes } }: RemoteJob,
  connection: JobConnection,
  { folder, signal }: { readonly folder: string; readonly signal: AbortSignal },
): LendSource => {
  const copies = createLocalCopies({
    folder,
    openRange: (_blob, range) => connection.openRange(range, signal),
    toError: (error) => error,
  })
  return (use, plan) => copies.lend({ key, etag, sizeBytes }, use, plan)
}
