import { Type } from 'typebox'
import { invalidField } from '../../base/problem.ts'

type Schema = Parameters<typeof Type.Union>[0][number]

export const nullable = <T extends Schema>(schema: T, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description })

/** Returns a shared schema with the description of one field. */
export const described = <T extends Schema>(schema: T, description: string): T => ({ ...schema, description })

export const timestampSchema = Type.String({
  format: 'date-time',
  maxLength: 40,
  examples: ['2026-03-01T12:00:00+00:00'],
})

export const idSchema = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })

/** Response of DELETE; the API never answers 204. */
export const deletedSchema = Type.Object({
  Id: idSchema,
  IsEnabled: Type.Boolean(),
  DeletedAt: timestampSchema,
})

export const deletionFields = {
  DeletedAt: nullable({
    ...timestampSchema,
    description: 'Time at which the record was deleted. Null if it is not deleted.',
  }),
  PurgeAt: nullable({
    ...timestampSchema,
    description:
      'Time until which the deleted record can be restored. Then it is removed for good. Null if it is not deleted.',
  }),
}

export const restorableSchema = Type.Object({
  ...deletedSchema.properties,
  PurgeAt: { ...timestampSchema, description: 'Time until which the record can be restored.' },
})

const dayMs = 86_400_000

export const purgeTimeOf = (deletedAt: Date, retentionDays: number): Date =>
  new Date(deletedAt.getTime() + retentionDays * dayMs)

const latestYear = 9999

/**
 * Parses a point in time sent by a caller. The format `date-time` allows leap seconds, and years beyond 9999
 * in UTC, which PostgreSQL or the wire format cannot hold: throws 'invalid' for these.
 */
export const parseInstant = (text: string, field: string): Date => {
  const instant = new Date(text)
  const year = instant.getUTCFullYear()
  if (!(year >= 1 && year <= latestYear))
    throw invalidField(field, 'invalid_timestamp', { value: text.slice(0, 40) })
  return instant
}
