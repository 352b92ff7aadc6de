/**
 * The words of a page that Sanitise wrote: flat enough and clean, so that the converter's recursion is bounded. Pure.
 */
import { convert } from "html-to-text"

/**
 * How much of the page is looked at. Unit: characters. Reason: half a second on a slow core; its text is for reading
 * and searching.
 */
const maxPage = 512 * 1024

export const plainText = (html: string): string =>
  convert(html.slice(0, maxPage).toWellFormed(), {
    wordwrap: false,
    selectors: [
      { selector: "img", format: "skip" },
      { selector: "a", options: { hideLinkHrefIfSameAsText: true } }
    ]
  })
