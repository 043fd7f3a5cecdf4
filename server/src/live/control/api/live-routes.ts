import type { FastifyInstance } from 'fastify'
import { registerControlRoutes, type ControlDependencies } from './control-routes.ts'
import { liveIngestSchema } from '../settings/ingest-record.ts'
import { registerIngestRoutes } from './ingest-routes.ts'
import { liveLogEntrySchema } from './live-log.ts'
import { registerLiveListRoutes } from './live-list-routes.ts'
import { liveSchema } from './live-record.ts'
import { liveRecordingSchema } from '../store/live-recordings.ts'
import { liveStatusSchema } from '../nodes/live-status.ts'
import { registerLiveTargetRoutes } from './live-target-routes.ts'
import { liveTargetSchema } from '../targets/live-targets.ts'

export const liveSchemas = {
  Live: liveSchema,
  LiveIngest: liveIngestSchema,
  LiveStatus: liveStatusSchema,
  LiveLogEntry: liveLogEntrySchema,
  LiveRecording: liveRecordingSchema,
  LiveTarget: liveTargetSchema,
}

export const registerLiveRoutes = (app: FastifyInstance, dependencies: ControlDependencies): void => {
  registerIngestRoutes(app, dependencies)
  registerControlRoutes(app, dependencies)
  registerLiveListRoutes(app, dependencies)
  registerLiveTargetRoutes(app, dependencies)
}
