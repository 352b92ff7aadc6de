/**
 * Text of mails made fit to travel: no control characters, no lone surrogates (JSON in Postgres takes neither),
 * bounded.
 */
import { convert } from "html-to-text"

/** Longest HTML that is looked at. Unit: characters. Reason: its text is cut to an eighth of that anyway. */
const maxHtml = 512 * 1024

/**
 * Deepest element of HTML that is followed. Unit: levels. Reason: the walk is recursive; real mails nest tables to
 * about 30.
 */
const maxHtmlDepth = 200

/** The first `max` UTF-16 units, never half a code point. */
export const cut = (text: string, max: number): string => {
  if (text.length <= max) return text
  const last = text.charCodeAt(max - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? max - 1 : max)
}

/** One line: a decoded header value. */
export const cleanLine = (text: string, max: number): string =>
  // eslint-disable-next-line no-control-regex
  cut(
    text
      .toWellFormed()
      .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ")
      .trim(),
    max
  )

/** Running text: LF line ends, tabs kept. */
export const cleanText = (text: string, max: number): string =>
  cut(
    text
      .toWellFormed()
      .replace(/\r\n?/g, "\n")
      // eslint-disable-next-line no-control-regex
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g, ""),
    max
  ).trim()

/** What a reader sees of an HTML page. HTML that the converter gives up on loses its tags and no more. */
export const htmlToPlain = (html: string): string => {
  const bounded = cut(html, maxHtml)
  try {
    return convert(bounded, {
      wordwrap: false,
      limits: { maxDepth: maxHtmlDepth, ellipsis: "…" },
      selectors: [
        { selector: "img", format: "skip" },
        { selector: "a", options: { hideLinkHrefIfSameAsText: true } }
      ]
    })
  } catch {
    // Elements nested by the ten thousand exhaust the converter's stack.
    return bounded.replace(/<[^<>]*>/g, " ")
  }
}
