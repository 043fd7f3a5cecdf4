import { networkOf } from './refusals.ts'

/** Limits what one address holds at a time, such as connections. An IPv6 /64 counts as one address. */
export interface AddressCap {
  /** Returns a function that gives the place back, or null when the address has no place left. */
  readonly take: (address: string) => (() => void) | null
}

/** 0 = no limit. */
export const createAddressCap = (limit: number): AddressCap => {
  const taken = new Map<string, number>()
  return {
    take: (address) => {
      if (limit === 0) return () => {}
      const network = networkOf(address)
      const count = taken.get(network) ?? 0
      if (count >= limit) return null
      taken.set(network, count + 1)
      let isGivenBack = false
      return () => {
        if (isGivenBack) return
        isGivenBack = true
        const left = (taken.get(network) ?? 1) - 1
        if (left === 0) taken.delete(network)
        else taken.set(network, left)
      }
    },
  }
}
