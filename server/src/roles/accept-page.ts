import type { FastifyInstance } from 'fastify'

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Zoetrope: choose a password</title>
<link rel="icon" href="/icon.svg">
<link rel="stylesheet" href="/start.css">
<script src="/accept.js" defer></script>
</head>
<body>
<main>
<h1>Choose a password</h1>
<p id="told" role="status">At least ten characters: several words are easier to keep in mind than a short riddle.</p>
<form method="post">
<p><label>Your name, if you are new here<br><input name="name" maxlength="200" autocomplete="name"></label></p>
<p><label>Password<br><input name="password" type="password" maxlength="200" autocomplete="new-password" required></label></p>
<p><button>Sign in</button></p>
</form>
<noscript><p>This page needs JavaScript.</p></noscript>
</main>
</body>
</html>
`

/** The token stays behind the #: it goes to the API in a body, and into no log and no history. */
const script = `const form = document.querySelector('form')
const told = document.querySelector('#told')
const token = location.hash.slice(1)
history.replaceState(null, '', location.pathname)

const accept = async () => {
  const { name, password } = Object.fromEntries(new FormData(form))
  const answer = await fetch('/v3/session/invitation', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ Token: token, Password: password, Name: name }),
  })
  const body = await answer.json()
  if (!answer.ok) throw new Error(body.error.message)
  form.remove()
  return 'You are signed in as ' + body.User.Email + '.'
}

if (token === '') {
  form.remove()
  told.textContent = 'This address is not whole: open the link as it was sent to you.'
}
form.addEventListener('submit', async (event) => {
  event.preventDefault()
  const button = form.querySelector('button')
  button.disabled = true
  told.textContent = await accept().catch(({ message }) => message)
  button.disabled = false
})
`

/** Where the links of invitations and forgotten passwords lead. */
export const registerAcceptPage = (app: FastifyInstance): void => {
  app.get('/accept', { schema: { hide: true } }, async (_request, reply) =>
    reply
      .header('Content-Type', 'text/html; charset=utf-8')
      .header(
        'Content-Security-Policy',
        "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      )
      .header('Referrer-Policy', 'no-referrer')
      .send(page),
  )
  app.get('/accept.js', { schema: { hide: true } }, async (_request, reply) =>
    reply.header('Content-Type', 'text/javascript; charset=utf-8').send(script),
  )
}
