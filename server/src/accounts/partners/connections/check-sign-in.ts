import type { GuardedAgent } from '../../../platform/outbound/guarded-agent.ts'
import { readDiscovery } from '../provider/discover-provider.ts'
import { tryClient } from '../sign-in/redeem-sign-in.ts'
import { configureSignIn, type SignInClient } from '../sign-in/sign-in-client.ts'

/**
 * Checks sign-in as far as possible without a person: the provider's capabilities and whether it accepts the
 * client. Throws ProviderFailure.
 */
export const checkSignIn = async (
  agent: GuardedAgent,
  client: SignInClient,
  redirectUri: string,
): Promise<void> => {
  const document = await readDiscovery(agent, client.issuer)
  await tryClient(await configureSignIn(agent, client, document), redirectUri)
}
