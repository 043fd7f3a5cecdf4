import type { FastifyReply, FastifyRequest } from 'fastify'
import { escapeHtml } from '../http/escape-html.ts'
import type { Problem } from '../kernel/problem.ts'

/** Why somebody is not signed in, for a person in a browser; whatever the provider said stays text. */
export const sendSsoProblem = (
  request: FastifyRequest,
  reply: FastifyReply,
  problem: Problem,
): FastifyReply => {
  if (problem.status >= 500)
    request.log.error({ requestId: request.id, err: problem.cause ?? problem }, 'sign-in failed')
  return reply
    .code(problem.status)
    .headers(problem.headers)
    .header('Content-Type', 'text/html; charset=utf-8')
    .header('Cache-Control', 'no-store')
    .header('Referrer-Policy', 'no-referrer')
    .header(
      'Content-Security-Policy',
      "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ).send(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Not signed in</title>
<link rel="icon" href="/icon.svg">
<link rel="stylesheet" href="/start.css">
</head>
<body>
<main>
<h1>You are not signed in</h1>
<p>${escapeHtml(problem.message)}</p>
<p><a href="/signin/sso">Try again</a> or <a href="/">go back</a>.</p>
<p>Request ${escapeHtml(request.id)}</p>
</main>
</body>
</html>
`)
}
