// Keeps the page of the webhook receiver up to date while it is visible, and sets the answer that a button names.
const EVERY_MS = 1_000
const live = document.getElementById('live')
let shown = live.innerHTML

async function refresh() {
  const response = await fetch('/dev/webhooks', { headers: { Accept: 'text/html' } })
  if (!response.ok) return
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  const next = page.getElementById('live')
  if (!next || next.innerHTML === shown) return
  shown = next.innerHTML
  const focused = document.activeElement?.getAttribute('data-behaviour')
  for (const { parentElement } of live.querySelectorAll('details[open]')) {
    next.querySelector(`#${parentElement.id} details`)?.setAttribute('open', '')
  }
  live.replaceChildren(...next.childNodes)
  if (focused) [...live.querySelectorAll('button')].find(({ dataset }) => dataset.behaviour === focused)?.focus()
}

async function answerWith(behaviour) {
  const headers = { 'Content-Type': 'application/json' }
  await fetch('/dev/webhooks/behaviour', { method: 'POST', headers, body: behaviour })
  await refresh()
}

live.addEventListener('click', ({ target }) => {
  if (target instanceof HTMLButtonElement) void answerWith(target.dataset.behaviour)
})

setInterval(() => {
  // The service may be restarting: the next time.
  if (!document.hidden) refresh().catch(() => {})
}, EVERY_MS)
