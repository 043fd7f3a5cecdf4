import { Type } from 'typebox'
import { nullable, timestampSchema } from '../../platform/http/requests/schemas.ts'

export const previewHours = 6

const uri = Type.String({ format: 'uri' })

/** Links that play for some hours whatever the release status. */
export const previewSchema = Type.Object({
  HLS: nullable(uri),
  DASH: nullable(uri),
  EmbedURI: nullable(uri),
  ExpiresAt: timestampSchema,
})

const hourMs = 3_600_000

/** Rounds to the full hour, so that repeated requests within an hour return the same URLs. */
export const previewExpiry = (): Date =>
  new Date((Math.floor(Date.now() / hourMs) + previewHours + 1) * hourMs)
