import type { ColumnType } from 'kysely'

export type CreatedAt = ColumnType<Date, Date | undefined, never>

export type UpdatedAt = ColumnType<Date, Date | undefined, Date>

/** jsonb: written as JSON text, read parsed. */
export type JsonColumn<T> = null extends T
  ? ColumnType<T, string | null | undefined, string | null>
  : ColumnType<T, string, string>
/** A JSON column that has a default. */
export type DefaultedJsonColumn<T> = ColumnType<T, string | undefined, string>
