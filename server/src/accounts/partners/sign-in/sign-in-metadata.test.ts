import { expect, test } from 'vitest'
import { signInMetadata } from './sign-in-metadata.ts'

const issuer = 'https://login.example.com'
const document = {
  authorization_endpoint: `${issuer}/auth`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/jwks`,
}

test('signInMetadata keeps only algorithms with asymmetric keys', () => {
  const offered = ['none', 'HS256', 'PS256', 'ES256']
  expect(
    signInMetadata({ ...document, id_token_signing_alg_values_supported: offered }, issuer),
  ).toMatchObject({
    id_token_signing_alg_values_supported: ['PS256', 'ES256'],
    authorization_response_iss_parameter_supported: false,
  })
  expect(signInMetadata(document, issuer).id_token_signing_alg_values_supported).toEqual(['RS256'])
})

test.each<[string, Record<string, unknown>, RegExp]>([
  ['no page to sign in', { authorization_endpoint: undefined }, /names no authorization_endpoint/],
  ['a page that is a script', { authorization_endpoint: 'javascript:alert(1)' }, /not https/],
  ['a page without TLS', { authorization_endpoint: 'http://login.example.com' }, /not https/],
  ['no codes', { response_types_supported: ['id_token'] }, /authorization code flow/],
  ['PKCE in the clear', { code_challenge_methods_supported: ['plain'] }, /PKCE/],
  [
    'shared secrets',
    { id_token_signing_alg_values_supported: ['HS256', 'none'] },
    /not sign ID tokens with any of RS256/,
  ],
  ['a UserInfo that is none', { userinfo_endpoint: 'nowhere' }, /names no userinfo_endpoint/],
])('signInMetadata rejects a provider with %s', (_what, change, message) => {
  expect(() => signInMetadata({ ...document, ...change }, issuer)).toThrow(message)
})

test('signInMetadata accepts a sign-in page in a private network, which only the browser visits', () => {
  const inside = { ...document, authorization_endpoint: 'https://10.0.0.1/auth' }
  expect(signInMetadata(inside, issuer).authorization_endpoint).toBe('https://10.0.0.1/auth')
})
