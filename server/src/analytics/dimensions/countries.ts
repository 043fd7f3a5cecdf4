import { fileURLToPath } from 'node:url'
import ipaddr from 'ipaddr.js'
import { open, type Reader, type Response } from 'maxmind'
import type { Log } from '../../platform/log/log.ts'
import { unknownValue } from './names.ts'

/** Country of an address as ISO 3166-1 alpha-2, or `unknown`. */
export type CountryOf = (address: string) => Promise<string>

const rereadMs = 86_400_000
/** Decoded records, one for each country and no address. */
const keptRecords = 300
/** The registries name a country even for some of these. */
const localRanges = new Set([
  'unspecified',
  'loopback',
  'private',
  'linkLocal',
  'uniqueLocal',
  'carrierGradeNat',
])

/** CC0, 8 MB in memory. */
const included = (): string =>
  fileURLToPath(import.meta.resolve('@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb'))

/** The included database has one field, those of MaxMind and DB-IP a record for each country. */
interface CountryRecord {
  readonly country_code?: string
  readonly country?: { readonly iso_code?: string }
}

export const countryIn = (record: CountryRecord | null): string => {
  const code = record?.country_code ?? record?.country?.iso_code ?? ''
  return /^[A-Z]{2}$/.test(code) && code !== 'ZZ' ? code : unknownValue
}

/** Rejects when the file is missing or is no database. */
export const openCountries = (path: string): Promise<Reader<Response>> =>
  open(path, { cache: { max: keptRecords } })

/**
 * Opens a custom database at once, to log a wrong path at the start, and the included one with the first address. Opens it again
 * each day, because operators replace the file. Without a readable file, all countries are unknown.
 */
export const createCountries = ({
  path,
  log,
  now = Date.now,
}: {
  /** Null = the included database. */
  readonly path: string | null
  readonly log: Log
  readonly now?: () => number
}): CountryOf => {
  const read = (before: Promise<Reader<Response> | null>): Promise<Reader<Response> | null> =>
    openCountries(path ?? included()).catch((error: unknown) => {
      log.warn({ err: error, path }, 'cannot read the database of countries')
      return before
    })
  let reader = path === null ? null : read(Promise.resolve(null))
  let openedAtMs = now()
  return async (address) => {
    if (reader === null || now() - openedAtMs > rereadMs) {
      openedAtMs = now()
      reader = read(reader ?? Promise.resolve(null))
    }
    const database = await reader
    if (database === null || !ipaddr.isValid(address)) return unknownValue
    // An IPv4 address may arrive in its IPv6 form.
    const parsed = ipaddr.process(address)
    if (localRanges.has(parsed.range())) return unknownValue
    return countryIn(database.get(parsed.toString()) as CountryRecord | null)
  }
}
