type Attributes = Readonly<Record<string, string | boolean>>
type Content = string | Node

/**
 * Makes an element. Text goes in as text and attributes by name, so nothing that a definition or an
 * agent says can become markup.
 */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...content: readonly Content[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name)
  setAttributes(made, attributes)
  made.append(...content)
  return made
}

export function svgElement<Name extends keyof SVGElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...content: readonly Content[]
): SVGElementTagNameMap[Name] {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name)
  setAttributes(made, attributes)
  made.append(...content)
  return made
}

function setAttributes(target: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) target.setAttribute(name, '')
    else if (value !== false) target.setAttribute(name, value)
  }
}
