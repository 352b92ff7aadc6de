/**
 * Cleans text from mails for storage: limits its length, removes control characters and replaces lone surrogates. JSON
 * in Postgres accepts neither.
 */
import { convert } from "html-to-text"

/** Longest HTML that is converted. Unit: characters. Reason: the resulting text is cut to an eighth of this anyway. */
const maxHtml = 512 * 1024

/**
 * Deepest HTML nesting that is converted. Unit: levels. Reason: the converter is recursive; real mails nest tables to
 * about 30.
 */
const maxHtmlDepth = 200

/** First `max` UTF-16 code units, without splitting a surrogate pair. */
export const cut = (text: string, max: number): string => {
  if (text.length <= max) return text
  const last = text.charCodeAt(max - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? max - 1 : max)
}

/** Cleans a decoded header value to one line. */
export const cleanLine = (text: string, max: number): string =>
  // eslint-disable-next-line no-control-regex
  cut(
    text
      .toWellFormed()
      .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ")
      .trim(),
    max
  )

/** Cleans running text; line ends become LF and tabs stay. */
export const cleanText = (text: string, max: number): string =>
  cut(
    text
      .toWellFormed()
      .replace(/\r\n?/g, "\n")
      // eslint-disable-next-line no-control-regex
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g, ""),
    max
  ).trim()

/** Visible text of an HTML page. If the converter fails, only the tags are removed. */
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
    // Tens of thousands of nested elements overflow the converter's stack.
    return bounded.replace(/<[^<>]*>/g, " ")
  }
}
