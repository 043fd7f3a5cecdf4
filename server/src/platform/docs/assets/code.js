/** Copy buttons, and tabs that follow the language that the reader has chosen. */

const clearAfterMs = 3000
const choiceKey = 'zoetrope.docs.tab'

const copy = async (block, label) => {
  let said = 'Copied'
  try {
    // Browsers offer a clipboard only on https and on the local machine.
    await navigator.clipboard.writeText(block.textContent)
  } catch {
    getSelection()?.selectAllChildren(block)
    said = 'Selected: press Ctrl+C'
  }
  label.textContent = said
  setTimeout(() => (label.textContent = ''), clearAfterMs)
}

for (const block of document.querySelectorAll('pre')) {
  const frame = document.createElement('div')
  frame.className = 'code'
  block.replaceWith(frame)
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = 'Copy'
  const label = document.createElement('span')
  label.className = 'status'
  label.setAttribute('role', 'status')
  frame.append(block, button, label)
  button.addEventListener('click', () => void copy(block, label))
}

const remembered = () => {
  try {
    return localStorage.getItem(choiceKey)
  } catch {
    // The browser blocks storage: the choice lasts until the next page.
    return null
  }
}

const remember = (name) => {
  try {
    localStorage.setItem(choiceKey, name)
  } catch {
    // As above.
  }
}

const groups = [...document.querySelectorAll('.tabs')].map((group, groupIndex) => {
  const panels = [...group.querySelectorAll('.tab')]
  const list = document.createElement('div')
  list.className = 'tab-list'
  list.setAttribute('role', 'tablist')
  list.setAttribute('aria-label', 'Language of the example')
  const buttons = panels.map((panel, index) => {
    const id = `tab-${groupIndex}-${index}`
    const button = document.createElement('button')
    button.type = 'button'
    button.id = id
    button.textContent = panel.dataset.tab
    button.setAttribute('role', 'tab')
    button.setAttribute('aria-controls', `${id}-panel`)
    panel.id = `${id}-panel`
    panel.setAttribute('role', 'tabpanel')
    panel.setAttribute('aria-labelledby', id)
    return button
  })
  list.append(...buttons)
  group.prepend(list)
  group.classList.add('ready')
  return { panels, buttons, names: panels.map((panel) => panel.dataset.tab) }
})

const show = ({ panels, buttons }, chosen) => {
  for (const [index, panel] of panels.entries()) {
    panel.hidden = index !== chosen
    buttons[index].setAttribute('aria-selected', String(index === chosen))
    buttons[index].tabIndex = index === chosen ? 0 : -1
  }
}

/** Groups without the chosen language keep what they show. */
const showEverywhere = (name) => {
  for (const group of groups) if (group.names.includes(name)) show(group, group.names.indexOf(name))
}

for (const group of groups) {
  show(group, 0)
  for (const [index, button] of group.buttons.entries()) {
    const choose = (next) => {
      const { top } = button.getBoundingClientRect()
      showEverywhere(group.names[next])
      remember(group.names[next])
      // Groups above change their height: keep the clicked one where it is.
      scrollBy({ top: button.getBoundingClientRect().top - top, behavior: 'instant' })
    }
    button.addEventListener('click', () => choose(index))
    button.addEventListener('keydown', (event) => {
      const { length } = group.buttons
      const next = { ArrowRight: (index + 1) % length, ArrowLeft: (index - 1 + length) % length }[event.key]
      if (next === undefined) return
      event.preventDefault()
      choose(next)
      group.buttons[next].focus()
    })
  }
}
const before = remembered()
if (before !== null) showEverywhere(before)
