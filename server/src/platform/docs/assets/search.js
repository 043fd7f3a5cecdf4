/** Results while the reader types. Without this script, the form opens a page with the same results. */

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
    // The server restarts, or the next letter aborted the request. Enter opens the search page.
  }
}

input.addEventListener('input', () => {
  clearTimeout(pause)
  pause = setTimeout(() => void ask(), 120)
})

const isTyping = ({ target }) => target.closest('input, textarea, [contenteditable]') !== null

const focusSearch = (event) => {
  event.preventDefault()
  input.focus()
  input.select()
}

/** The arrow keys move from the input through the results and back. */
const moveThroughAnswers = (event) => {
  const stops = [input, ...answers.querySelectorAll('a')]
  const at = stops.indexOf(document.activeElement)
  const next = stops[at + (event.key === 'ArrowDown' ? 1 : -1)]
  if (at === -1 || next === undefined) return
  event.preventDefault()
  next.focus()
}

document.addEventListener('keydown', (event) => {
  const isModified = event.ctrlKey || event.metaKey
  if (event.key === 'k' && isModified) focusSearch(event)
  if (event.key === '/' && !isModified && !isTyping(event)) focusSearch(event)
  if (answers.hidden) return
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') moveThroughAnswers(event)
  if (event.key === 'Escape') {
    close()
    input.focus()
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
