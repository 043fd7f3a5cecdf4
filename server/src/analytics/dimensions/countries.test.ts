import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { createLog } from '../../platform/log/log.ts'
import { countryIn, createCountries } from './countries.ts'

const log = createLog({ level: 'silent' })

test.each([
  ['8.8.8.8', 'US'],
  ['::ffff:8.8.8.8', 'US'],
  ['2001:67c:2e8::1', 'NL'],
  ['127.0.0.1', 'unknown'],
  ['::1', 'unknown'],
  ['10.1.2.3', 'unknown'],
  ['192.168.0.1', 'unknown'],
  ['fd00::1', 'unknown'],
  ['', 'unknown'],
  ['unix:', 'unknown'],
  ['999.1.1.1', 'unknown'],
])('the country of %s is %s', async (address, country) => {
  expect(await createCountries({ path: null, log })(address)).toBe(country)
})

test('an own database may be missing, and is read again after a day', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'zoetrope-countries-'))
  const path = join(folder, 'own.mmdb')
  let nowMs = 0
  const countryOf = createCountries({ path, log, now: () => nowMs })
  expect(await countryOf('8.8.8.8')).toBe('unknown')
  const included = '@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country-ipv4.mmdb'
  await copyFile(fileURLToPath(import.meta.resolve(included)), path)
  expect(await countryOf('8.8.8.8')).toBe('unknown')
  nowMs += 86_400_001
  expect(await countryOf('8.8.8.8')).toBe('US')
  await rm(folder, { recursive: true })
  nowMs += 86_400_001
  expect(await countryOf('8.8.8.8')).toBe('US')
})

test.each([
  [{ country_code: 'DE' }, 'DE'],
  [{ country: { iso_code: 'DE' } }, 'DE'],
  [{ country_code: 'ZZ' }, 'unknown'],
  [{ country_code: '<script>' }, 'unknown'],
  [{}, 'unknown'],
  [null, 'unknown'],
])('the country in %j is %s', (record, country) => {
  expect(countryIn(record)).toBe(country)
})
