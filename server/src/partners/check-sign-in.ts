import type { GuardedAgent } from '../kernel/outbound/guarded-agent.ts'
import { readDiscovery } from './discover-provider.ts'
import { tryClient } from './redeem-sign-in.ts'
import { configureSignIn, type SignInClient } from './sign-in-client.ts'

/** As far as it can be tried without a person: whether the provider has what signing in needs, and takes our client. Throws ProviderFailure. */
export const checkSignIn = async (
  agent: GuardedAgent,
  client: SignInClient,
  redirectUri: string,
): Promise<void> => {
  const document = await readDiscovery(agent, client.issuer)
  await tryClient(await configureSignIn(agent, client, document), redirectUri)
}
