import type { FastifyReply, FastifyRequest } from 'fastify'
import { escapeHtml } from '../../platform/http/responses/escape-html.ts'
import { ownPageHeaders } from '../../platform/http/responses/page-headers.ts'
import type { Problem } from '../../platform/base/problem.ts'

const policy = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
]

const startPath = '/signin/sso'

/** `body` is HTML. */
const sendPage = (
  reply: FastifyReply,
  { title, heading, body }: { readonly title: string; readonly heading: string; readonly body: string },
): FastifyReply =>
  reply.headers(ownPageHeaders(policy)).header('Cache-Control', 'no-store').send(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="/icon.svg">
<link rel="stylesheet" href="/page.css">
</head>
<body>
<main>
<h1>${escapeHtml(heading)}</h1>
${body}
</main>
</body>
</html>
`)

/**
 * Sends a browser page with the reason why the person is not signed in; text from the provider is escaped.
 */
export const sendSsoProblem = (
  request: FastifyRequest,
  reply: FastifyReply,
  problem: Problem,
): FastifyReply => {
  if (problem.status >= 500)
    request.log.error({ requestId: request.id, err: problem.cause ?? problem }, 'sign-in failed')
  return sendPage(reply.code(problem.status).headers(problem.headers), {
    title: 'Not signed in',
    heading: 'You are not signed in',
    body: `<p>${escapeHtml(problem.message)}</p>
<p><a href="${startPath}">Try again</a> or <a href="/">go back</a>.</p>
<p>Request ${escapeHtml(request.id)}</p>`,
  })
}

export const sendSsoQuestion = (
  reply: FastifyReply,
  { issuer, email }: { readonly issuer: string; readonly email: string | null },
): FastifyReply => {
  const query = email === null ? '' : `?${new URLSearchParams({ email }).toString()}`
  const { host } = new URL(issuer)
  return sendPage(reply, {
    title: 'Sign in',
    heading: `Sign in with ${host}?`,
    body: `<p>Another site sent you here. Signing in ends the session that is open in this browser.</p>
<p><a href="${escapeHtml(startPath + query)}">Sign in</a> or <a href="/">go back</a>.</p>`,
  })
}
