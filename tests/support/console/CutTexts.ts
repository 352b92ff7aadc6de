/** Texts that a page cuts, and content that makes it scroll sideways, at its present size. */
import type { Page } from "playwright-core"

/**
 * A screen of 1,440 by 900 pixels at a zoom of 200 %: the page has half of them. The pixel ratio changes no layout.
 * Unit: CSS pixels. Source: WCAG 2.2 §1.4.4 (resize text).
 */
export const zoomed = { width: 720, height: 450 }

/** What does not fit: one line each, empty when all does. Containers that scroll by themselves cut nothing. */
export const misfits = (page: Page): Promise<ReadonlyArray<string>> =>
  page.evaluate(() => {
    const found: Array<string> = []
    const { clientWidth, scrollWidth } = document.documentElement
    if (scrollWidth > clientWidth) found.push(`${scrollWidth} pixels wide on a screen of ${clientWidth}`)
    const hasText = (one: Element) =>
      [...one.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent!.trim() !== "")
    const isHidden = (style: CSSStyleDeclaration) => style.clipPath !== "none" || style.visibility === "hidden"
    for (const one of document.body.querySelectorAll<HTMLElement>("*")) {
      if (!hasText(one) || one.getClientRects().length === 0) continue
      // The nearest box that clips the text: none, one that scrolls, or one that cuts.
      for (let box: HTMLElement | null = one; box !== null && box !== document.body; box = box.parentElement) {
        const style = getComputedStyle(box)
        if (isHidden(style)) break
        if (style.overflowX === "visible" && style.overflowY === "visible") continue
        const cutsX = /hidden|clip/.test(style.overflowX) && box.scrollWidth > box.clientWidth + 1
        const cutsY = /hidden|clip/.test(style.overflowY) && box.scrollHeight > box.clientHeight + 1
        // A text that ends in dots is complete in its title.
        if ((cutsX || cutsY) && one.closest("[title]") === null)
          found.push(`cut: ${one.outerHTML.slice(0, 150)} in ${box.className || box.tagName}`)
        break
      }
    }
    return [...new Set(found)].slice(0, 5)
  })
