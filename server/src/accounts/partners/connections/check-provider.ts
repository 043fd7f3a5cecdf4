import type { GuardedAgent } from '../../../platform/outbound/guarded-agent.ts'
import { checkKeySet, discoverProvider, type ProviderEndpoints } from '../provider/discover-provider.ts'
import { requestToken, type TokenRequest } from '../provider/request-token.ts'

export const checkProvider = async (
  agent: GuardedAgent,
  settings: Omit<TokenRequest, 'tokenEndpoint'>,
): Promise<ProviderEndpoints> => {
  const endpoints = await discoverProvider(agent, settings.issuer)
  await checkKeySet(agent, endpoints.keySetUri)
  const { tokenEndpoint } = endpoints
  await requestToken(agent, { ...settings, tokenEndpoint }, { nowSeconds: Math.floor(Date.now() / 1_000) })
  return endpoints
}
