/**
 * The only script of the pages: a button that copies a block; of a terminal, only the commands. It
 * is a file, as our content policy demands, and the pages are complete without it.
 */
export const copyScript = `
for (const pre of navigator.clipboard ? document.querySelectorAll('main pre') : []) {
  const block = document.createElement('div')
  block.className = 'block'
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = 'Copy'
  pre.replaceWith(block)
  block.append(pre, button)
  const commands = [...pre.querySelectorAll('.t')].map((one) => one.textContent).join('\\n')
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(commands || pre.textContent)
    button.textContent = 'Copied'
    setTimeout(() => { button.textContent = 'Copy' }, 2000)
  })
}
`
