import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'

export const peopleClient = { id: 'zoetrope-people', secret: 'a-secret-for-signing-in' }
const deliveriesClient = { id: 'zoetrope', secret: 'a-secret-for-deliveries' }

export const settingsFor = (issuer: string) => ({
  Issuer: issuer,
  ClientId: deliveriesClient.id,
  ClientSecret: deliveriesClient.secret,
  SignIn: { IsEnabled: true, ClientId: peopleClient.id, ClientSecret: peopleClient.secret },
})

export const startLoopback = async (handlerFor: (issuer: string) => RequestListener) => {
  let isDown = false
  const server = createServer((request, response) => {
    if (isDown) request.destroy()
    else handle(request, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const handle = handlerFor(issuer)
  return {
    issuer,
    setDown: (wanted: boolean): void => {
      isDown = wanted
    },
    close: async (): Promise<void> => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export type People = Map<string, { readonly email: string; readonly email_verified: boolean }>

/** Starts the real oidc-provider; a person signs in by typing a subject. */
export const startPeopleProvider = (redirectUri: string, people: People) =>
  startLoopback((issuer) => {
    const provider = new Provider(issuer, {
      clients: [
        {
          client_id: deliveriesClient.id,
          client_secret: deliveriesClient.secret,
          grant_types: ['client_credentials'],
          redirect_uris: [],
          response_types: [],
        },
        {
          client_id: peopleClient.id,
          client_secret: peopleClient.secret,
          grant_types: ['authorization_code'],
          redirect_uris: [redirectUri],
        },
      ],
      cookies: { keys: ['of the tests'] },
      pkce: { required: () => true },
      claims: { openid: ['sub'], email: ['email', 'email_verified'] },
      features: { devInteractions: { enabled: true }, clientCredentials: { enabled: true } },
      findAccount: (_context: unknown, subject: string) => ({
        accountId: subject,
        claims: async () => ({ sub: subject, ...people.get(subject) }),
      }),
    })
    return provider.callback()
  })

export const walkThrough = async (start: string, subject: string): Promise<string> => {
  const cookies = new Map<string, string>()
  const { origin } = new URL(start)
  let next = { url: start, body: undefined as URLSearchParams | undefined }
  for (let step = 0; step < 12; step += 1) {
    const answer = await fetch(next.url, {
      method: next.body === undefined ? 'GET' : 'POST',
      redirect: 'manual',
      headers: { Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(next.body === undefined ? {} : { body: next.body }),
    })
    for (const one of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(one) ?? []
      cookies.set(name, value)
    }
    const page = await answer.text()
    const location = answer.headers.get('location')
    if (location === null) {
      const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1]
      if (prompt === undefined) throw new Error(`${answer.status} ${next.url}: ${page.slice(0, 2_000)}`)
      next = { ...next, body: new URLSearchParams({ prompt, login: subject, password: 'any' }) }
    } else {
      const url = new URL(location, next.url)
      if (url.origin !== origin) return url.href
      next = { url: url.href, body: undefined }
    }
  }
  throw new Error('the provider asks for ever')
}
