/**
 * Text of a signature in its form. Lines without markup are stored as lines of HTML; anything else is HTML and stays as
 * it is. Pure.
 */
import type { Payload } from "../../lib/Endpoints.ts"

const escapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" }
const unescapes: Readonly<Record<string, string>> = Object.fromEntries(
  [...Object.entries(escapes), ['"', "&quot;"], ["'", "&#39;"], ["\u00a0", "&nbsp;"]].map(([char, name]) => [
    name,
    char
  ])
)

/** Tags that occur in signatures. `<anna@example.org>` is none of them. */
const tag =
  /<\/?(?:a|b|big|blockquote|br|center|div|em|font|h[1-6]|hr|i|img|li|ol|p|pre|s|small|span|strong|su[bp]|t(?:able|body|d|h|head|r)|u|ul)(?:[\s/][^>]*)?>/i

/** Whether a text is HTML: it has a tag. */
export const isHtml = (text: string): boolean => tag.test(text)

/** HTML of the form's text. */
export const htmlOf = (text: string): string =>
  isHtml(text) ? text : text.replace(/[&<>]/g, (char) => escapes[char]!).replace(/\r?\n/g, "<br>\n")

/** The text of stored HTML that is only lines; other HTML as it is. */
export const textOf = (html: string): string => {
  const text = html
    .replace(/<br\s*\/?>\r?\n?/gi, "\n")
    .replace(/&(?:amp|lt|gt|quot|#39|nbsp);/g, (name) => unescapes[name]!)
  // Also a text that shows a tag, which would be read as HTML when it is saved again.
  return isHtml(text) ? html : text
}

type Rule = NonNullable<Payload<"POST /api/v1/mail/signatures">["rules"]>[number]

/** The rule of a recipient as typed: `anna@example.org`, `example.org` or `*.example.org`. */
export const ruleOf = (recipient: string): Rule => ({
  match_type: recipient.includes("@") ? "address" : "domain",
  match_value: recipient
})
