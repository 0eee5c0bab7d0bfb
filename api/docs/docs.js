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
const watcher = new IntersectionObserver(
  (entries) => {
    const seen = entries.find((entry) => entry.isIntersecting)
    if (!seen) return
    for (const link of links.values()) link.removeAttribute('aria-current')
    links.get(seen.target.id)?.setAttribute('aria-current', 'true')
  },
  { rootMargin: '0px 0px -70% 0px' },
)
for (const id of links.keys()) {
  const target = document.getElementById(id)
  if (target && id !== 'content') watcher.observe(target)
}
