import { openConnection, type ConnectionOptions } from '../../../platform/db/driver/connection.ts'
import { finding, type Finding } from './finding.ts'

interface PausedWorker {
  readonly id: number
  readonly name: string
  readonly reason: string
}

const findPaused = async (connection: ConnectionOptions): Promise<PausedWorker[]> => {
  const probe = await openConnection(connection)
  try {
    return await probe.rows<PausedWorker>(
      `select id::int as id, name, paused_because as reason from remote_workers
        where paused_because is not null and revoked_at is null order by id`,
    )
  } finally {
    probe.discard()
  }
}

/** Returns a finding for each paused worker. Other checks report a database that cannot be read or has no such table. */
export const checkRemoteWorkers = async (connection: ConnectionOptions | null): Promise<Finding[]> => {
  const paused = connection === null ? [] : await findPaused(connection).catch(() => [])
  return paused.map(({ id, name, reason }) =>
    finding(
      'Remote worker',
      'warning',
      `${id} "${name}" is paused: ${reason} Fix the cause, then run ./zoetrope worker-token resume ${id}.`,
    ),
  )
}
