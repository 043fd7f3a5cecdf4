import type { GuardedAgent } from '../../../platform/outbound/guarded-agent.ts'
import { checkKeySet, discoverProvider, type ProviderEndpoints } from '../provider/discover-provider.ts'
import { checkIssuerOfPreset, type Preset } from '../provider/presets.ts'
import { failureOf, type ProviderFailure } from '../provider/provider-failure.ts'

/**
 * Tests what needs no credentials: the discovery document and the key set. Throws 'invalid' when the preset
 * has no such issuer.
 */
export const checkIssuer = async (
  agent: GuardedAgent,
  { preset, issuer }: { readonly preset: Preset; readonly issuer: string },
): Promise<ProviderEndpoints | ProviderFailure> => {
  checkIssuerOfPreset(preset, issuer)
  try {
    const endpoints = await discoverProvider(agent, issuer)
    await checkKeySet(agent, endpoints.keySetUri)
    return endpoints
  } catch (error) {
    return failureOf(error)
  }
}
