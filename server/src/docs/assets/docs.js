/** What the pages can do beside being read. Without it they can be read and searched all the same. */

const forgetMs = 3000

const copy = async (block, told) => {
  let said = 'Copied'
  try {
    // Only the loopback and https have a clipboard.
    await navigator.clipboard.writeText(block.textContent)
  } catch {
    getSelection()?.selectAllChildren(block)
    said = 'Selected: press Ctrl C'
  }
  told.textContent = said
  setTimeout(() => (told.textContent = ''), forgetMs)
}

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
  button.addEventListener('click', () => void copy(block, told))
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
  pause = setTimeout(() => void ask(), 120)
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
// The list of contents begins where the reader is, also when it comes by its button.
const contents = document.querySelector('#contents')
const showPlace = () => contents.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
contents.addEventListener('toggle', showPlace)
showPlace()
