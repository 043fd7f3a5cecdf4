import type { Browser, BrowserContext } from 'playwright-core'
import type { Product } from './product.ts'

export interface Visitor {
  /** A browser context without a cache, signed in to the console. */
  readonly open: () => Promise<BrowserContext>
}

/** Adds an administrator, who visits the console. */
export const inviteVisitor = async (
  browser: Browser,
  product: Product,
  viewport: { readonly width: number; readonly height: number },
): Promise<Visitor> => {
  const { body: invitation } = await product.call('POST', '/invitations', {
    Email: 'bench@example.com',
    Role: 'Administrator',
  })
  const answer = await fetch(`${product.url}/v3/session/invitation`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ Token: invitation.Token, Password: crypto.randomUUID(), Name: 'Bench' }),
  })
  if (!answer.ok) throw new Error(`The invitation was answered with ${answer.status}.`)
  const cookies = answer.headers.getSetCookie().map((cookie) => {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
    return { name, value, url: product.url }
  })
  return {
    open: async () => {
      const context = await browser.newContext({ viewport, locale: 'en-GB' })
      await context.addCookies(cookies)
      return context
    },
  }
}
