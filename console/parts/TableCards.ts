/**
 * Labels the cells of all tables with their column titles, so that the style sheet can show each row as a card on a
 * narrow screen (cards.css). Runs only while the screen is narrow. Explicit roles keep the meaning of a table, which
 * browsers drop when its rows are no longer laid out as one.
 */

/** Width up to which rows are cards. Same as in cards.css. */
const narrow = "(max-width: 50rem)"

/** Labels the cells of one table. A table without column titles stays as it is. */
const label = (table: HTMLTableElement): void => {
  const titles = [...(table.tHead?.rows[0]?.cells ?? [])].map(({ textContent }) => textContent.trim())
  if (titles.length === 0 || table.dataset["plain"] !== undefined) return
  set(table, "role", "table")
  set(table, "data-cards", "")
  for (const part of [table.tHead, ...table.tBodies]) if (part !== null) set(part, "role", "rowgroup")
  for (const row of table.rows) {
    set(row, "role", "row")
    let column = 0
    for (const cell of row.cells) {
      const inHead = row.parentElement === table.tHead
      set(cell, "role", inHead ? "columnheader" : cell.tagName === "TH" ? "rowheader" : "cell")
      if (!inHead) set(cell, "data-label", cell.colSpan > 1 ? "" : (titles[column] ?? ""))
      column += cell.colSpan
    }
  }
}

/** Writes only changed values, because each write is a mutation. */
const set = (element: Element, name: string, value: string): void => {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value)
}

/** Starts labelling, now and after each change of the page. */
export const begin = (): void => {
  const query = matchMedia(narrow)
  let isPlanned = false
  const all = () => {
    isPlanned = false
    if (query.matches) for (const table of document.querySelectorAll("table")) label(table)
  }
  const plan = () => {
    if (isPlanned || !query.matches) return
    isPlanned = true
    requestAnimationFrame(all)
  }
  query.addEventListener("change", plan)
  new MutationObserver(plan).observe(document.body, { childList: true, subtree: true, characterData: true })
  plan()
}
