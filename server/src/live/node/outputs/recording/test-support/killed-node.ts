import { loadConfig } from '../../../../../app/config/config.ts'
import type { ConnectionOptions } from '../../../../../platform/db/database.ts'
import { createLog } from '../../../../../platform/log/log.ts'
import { buildServices } from '../../../../../app/roles/services.ts'
import { waitFor } from '../../../../../../test/support/wait-for.ts'
import { cannedStream, send } from './canned-stream.ts'
import { recordBroadcast, type Broadcast } from './recording-node.ts'

export interface KilledNodeOptions {
  readonly connection: ConnectionOptions
  readonly environment: Record<string, string>
  readonly broadcast: Broadcast
  readonly folder: string
  readonly nodeId: string
}

const options = JSON.parse(process.argv[2] ?? '') as KilledNodeOptions
const services = await buildServices(
  loadConfig(options.environment),
  options.connection,
  createLog({ level: 'silent' }),
  { role: 'live' },
)
const { packager, recorder } = await recordBroadcast(services, options.broadcast, options)
send(packager, await cannedStream())
// The broadcast continues after the end of the canned stream.
await waitFor(
  () =>
    services.database.kysely
      .selectFrom('live_recordings')
      .select('id')
      .where('broadcast_id', '=', options.broadcast.broadcastId)
      .execute(),
  (rows) => rows.length > 0 && (recorder.state()?.sizeBytes ?? 0) > 0,
)
process.stdout.write('recording\n')
