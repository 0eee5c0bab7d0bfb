// Adds to the page what reading does without: copy buttons, and the place in the contents.
for (const block of document.querySelectorAll('pre')) {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.textContent = 'Copy'
  button.addEventListener('click', () => {
    void navigator.clipboard.writeText(block.querySelector('code')?.textContent ?? '').then(() => {
      button.textContent = 'Copied'
      setTimeout(() => (button.textContent = 'Copy'), 1_500)
    })
  })
  block.append(button)
}

const links = new Map([...document.querySelectorAll('nav a[href^="#"]')].map((link) => [link.hash.slice(1), link]))
// Of the sections in the upper part of the window, the last one is being read.
const visible = new Set()
const watcher = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) visible[isIntersecting ? 'add' : 'delete'](target.id)
    const current = [...links.keys()].findLast((id) => visible.has(id))
    if (!current) return
    for (const link of links.values()) link.removeAttribute('aria-current')
    links.get(current)?.setAttribute('aria-current', 'true')
  },
  { rootMargin: '0px 0px -70% 0px' },
)
for (const id of links.keys()) {
  const target = document.getElementById(id)
  if (target && id !== 'content') watcher.observe(target)
}
