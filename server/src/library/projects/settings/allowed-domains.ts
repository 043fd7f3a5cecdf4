import { domainToASCII } from 'node:url'
import { Type } from 'typebox'
import { invalidField } from '../../../platform/base/problem.ts'

/** Also accepts all characters after ASCII, for internationalized domains. */
export const domainSchema = Type.String({
  maxLength: 253,
  pattern: '^(\\*\\.)?[A-Za-z0-9.\\u00a1-\\uffff-]+(:[0-9]+)?$',
  examples: ['www.example.com'],
})

/**
 * Converts internationalized domains to the ASCII form (RFC 5891) in which browsers send them as `Origin`. Throws
 * 'invalid' for a domain without such a form.
 */
export const toAsciiDomains = (domains: readonly string[]): string[] =>
  domains.map((domain, index) => {
    const [, wildcard = '', name = '', port = ''] = /^(\*\.)?([^:]*)(:.*)?$/.exec(domain) ?? []
    if (/^[\x21-\x7e]*$/.test(name)) return domain
    const ascii = domainToASCII(name)
    // The conversion turns a full-width semicolon into a plain one, which would end the directive of a header.
    if (!/^[a-z0-9.-]+$/.test(ascii)) throw invalidField(`AllowedDomains[${index}]`, 'not_domain')
    return `${wildcard}${ascii}${port}`
  })
