export interface Prices {
  readonly perCoreHour: number
  readonly perStoredGigabyteMonth: number
  readonly perMillionPuts: number
  readonly perMillionGets: number
  /** Price steps of the CDN, by gigabytes in a month. */
  readonly cdn: readonly { readonly upToGigabytes: number; readonly perGigabyte: number }[]
}

/**
 * List prices in US dollars, as their pages had them in September 2026. Change them with `--prices <file>`.
 * Cores: Amazon EC2 c7i.xlarge, on demand, us-east-1, $0.1785 for 4 vCPUs (aws.amazon.com/ec2/pricing).
 * Storage: Cloudflare R2, whose egress is free (developers.cloudflare.com/r2/pricing).
 * CDN: bunny.net, volume tier (docs.bunny.net/cdn/pricing); more than 2 PB are negotiated, here at the last price.
 */
export const defaultPrices: Prices = {
  perCoreHour: 0.1785 / 4,
  perStoredGigabyteMonth: 0.015,
  perMillionPuts: 4.5,
  perMillionGets: 0.36,
  cdn: [
    { upToGigabytes: 500_000, perGigabyte: 0.005 },
    { upToGigabytes: 1_000_000, perGigabyte: 0.004 },
    { upToGigabytes: Infinity, perGigabyte: 0.003 },
  ],
}

export const cdnPrice = ({ cdn }: Prices, gigabytes: number): number => {
  let below = 0
  let dollars = 0
  for (const { upToGigabytes, perGigabyte } of cdn) {
    dollars += Math.max(0, Math.min(gigabytes, upToGigabytes) - below) * perGigabyte
    below = upToGigabytes
  }
  return dollars
}
