/** Extracts the text of a sanitised page. Sanitise.ts limits nesting, which bounds the converter's recursion. Pure. */
import { convert } from "html-to-text"

/**
 * Longest part of the page that is converted. Unit: characters. Reason: takes half a second on a slow core, and is
 * enough for reading and searching.
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
