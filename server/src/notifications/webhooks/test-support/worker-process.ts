import { openDatabase, type ConnectionOptions } from '../../../platform/db/database.ts'
import { createLog } from '../../../platform/log/log.ts'
import { createGuardedAgent } from '../../../platform/outbound/guarded-agent.ts'
import { createSecrets } from '../../../platform/base/secrets.ts'
import { startDeliveryEngine } from '../engine/delivery-engine.ts'

/**
 * Process that only sends deliveries, for tests to kill: `node worker-process.ts '{"connection": …,
 * "masterKey": "<base64>"}'`.
 */
const { connection, masterKey } = JSON.parse(process.argv[2] ?? '{}') as {
  connection: ConnectionOptions
  masterKey: string
}
await startDeliveryEngine({
  database: openDatabase(connection),
  secrets: createSecrets(Buffer.from(masterKey, 'base64')).workers,
  agent: createGuardedAgent({ allowCidrs: ['127.0.0.0/8'], isHttpAllowed: true }),
  log: createLog({ level: 'silent' }),
  publicUrl: 'https://video.example.com',
})
process.stdout.write('ready\n')
