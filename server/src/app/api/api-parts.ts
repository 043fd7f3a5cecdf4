import { openViewEngine } from '../../analytics/open-view-engine.ts'
import { createFileReads } from '../../library/files/lists/file-reads.ts'
import { createGuardedAgent } from '../../platform/outbound/guarded-agent.ts'
import { createOutboundPolicy } from '../../platform/outbound/outbound-policy.ts'
import { createRefusals } from '../../platform/http/limits/refusals.ts'
import { createAuthenticate } from '../../accounts/identity/authentication/authenticate-request.ts'
import { createTokenVerifier } from '../../accounts/identity/authentication/verify-token.ts'
import { createPlainMovieReader } from '../../ingest/play-while-uploading/plain-movie.ts'
import { stagingOwnerOf } from '../../ingest/uploads/store/staging-owner.ts'
import { createTouchPlaylists } from '../../library/playlists/touch-playlists.ts'
import { createUploadLocks } from '../../ingest/uploads/receive/upload-locks.ts'
import { createPassthroughSources } from '../../playback/media/passthrough-sources.ts'
import { ingestAddressesOf } from '../config/ingest-addresses.ts'
import { buildSignIn } from './sign-in.ts'
import type { ApiServices } from '../roles/services.ts'

/** Services that several groups of routes share. */
export const createApiParts = async (services: ApiServices) => {
  const { config, database, blobs, jobs, signingKeys, issuer } = services
  const { publicUrl } = config
  const verifier = createTokenVerifier(database, signingKeys, issuer)
  const refusals = createRefusals(config.refusalsPerMinute)
  const passthroughSources = createPassthroughSources(blobs)
  const isOnDisk = config.storage === 'disk'
  const uploads = {
    database,
    blobs,
    stagings: services.stagings,
    jobs,
    publicUrl,
    locks: createUploadLocks(),
    touchPlaylists: createTouchPlaylists(publicUrl),
    owner: await stagingOwnerOf(config.dataFolder),
    maxSizeBytes: config.uploadMaxBytes,
    expiryMs: config.uploadExpiryHours * 3_600_000,
    isPlayedWhileUploading: isOnDisk,
    ...(isOnDisk && {
      readPlainMovie: createPlainMovieReader({
        blobs,
        maxDurationSeconds: config.maxDurationSeconds,
        onIndex: passthroughSources.keepIndex,
      }),
    }),
  }
  const outbound = { allowCidrs: config.outboundAllowCidrs, isHttpAllowed: config.isOutboundHttpAllowed }
  const agent = createGuardedAgent(outbound)
  const signIn = buildSignIn(services, { verifier, agent })
  const outboundPolicy = createOutboundPolicy(outbound)
  const pulls = { ...uploads, secrets: services.secrets.workers, outboundPolicy }
  const fileReads = createFileReads(database)
  const viewEngine = await openViewEngine(services)
  const live = {
    database,
    secrets: services.secrets,
    log: services.log,
    publicUrl,
    addresses: ingestAddressesOf(config),
    policy: outboundPolicy,
  }
  return {
    verifier,
    refusals,
    authenticate: createAuthenticate({ ...signIn, verifier, refusals }),
    uploads,
    passthroughSources,
    pulls,
    agent,
    signIn,
    fileReads,
    viewEngine,
    live,
  }
}

export type ApiParts = Awaited<ReturnType<typeof createApiParts>>
