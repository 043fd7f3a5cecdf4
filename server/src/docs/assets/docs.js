/** What the pages can do beside being read. Without it they can be read and searched all the same. */

for (const block of document.querySelectorAll('pre')) {
  const frame = document.createElement('div')
  frame.className = 'code'
  block.replaceWith(frame)
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = 'Copy'
  const told = document.createElement('span')
  told.className = 'told'
  told.setAttribute('role', 'status')
  frame.append(block, button, told)
  button.addEventListener('click', async () => {
    // Only the loopback and https have a clipboard.
    const isCopied = await (navigator.clipboard?.writeText(block.textContent) ?? Promise.reject(new Error()))
      .then(() => true)
      .catch(() => false)
    if (!isCopied) getSelection()?.selectAllChildren(block)
    told.textContent = isCopied ? 'Copied' : 'Selected: press Ctrl C'
    setTimeout(() => (told.textContent = ''), 3000)
  })
}

const form = document.querySelector('form[role="search"]')
const input = form.querySelector('input')
const answers = document.querySelector('#answers')
let asked = new AbortController()
let pause

const close = () => {
  asked.abort()
  clearTimeout(pause)
  answers.hidden = true
}

const ask = async () => {
  asked.abort()
  asked = new AbortController()
  const query = input.value.trim()
  if (query.length < 2) return close()
  const { signal } = asked
  try {
    const answer = await fetch(`/docs/search?${new URLSearchParams({ q: query })}`, { signal })
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
    const results = page.querySelector('#results')
    if (results === null || signal.aborted) return
    results.removeAttribute('id')
    answers.replaceChildren(results)
    answers.hidden = false
  } catch {
    // The server restarts, or the next letter came: Enter asks again.
  }
}

input.addEventListener('input', () => {
  clearTimeout(pause)
  pause = setTimeout(ask, 120)
})
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && !answers.hidden) {
    close()
    input.focus()
  }
  if (event.key === 'k' && (event.ctrlKey || event.metaKey)) {
    event.preventDefault()
    input.focus()
    input.select()
  }
})
document.addEventListener('click', ({ target }) => {
  if (!form.contains(target)) close()
})
answers.addEventListener('click', ({ target }) => {
  if (target.closest('a') !== null) close()
})
form.addEventListener('focusout', ({ relatedTarget }) => {
  if (relatedTarget !== null && !form.contains(relatedTarget)) close()
})
// The list of contents begins where the reader is.
document.querySelector('#contents [aria-current]')?.scrollIntoView({ block: 'nearest' })
