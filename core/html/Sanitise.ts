/**
 * Makes untrusted HTML safe to show inside our pages. Pure and bounded, but the worst input takes seconds, so daemons
 * call it through HtmlWorker. The library sanitize-html parses and rewrites the page from the tables beside this file;
 * this file adds the rules for URLs, images and names.
 *
 * Not done here: style sheets (`<style>` is dropped with its content), and the page's Content-Security-Policy.
 */
import sanitizeHtml from "sanitize-html"
import { attributes, dropped, elements, ownAttributes } from "./MailMarkup.ts"
import { maxStyle, styles } from "./MailStyles.ts"
import { plainText } from "./PlainText.ts"
import { isInlineImage, linkSchemes, safeUrl, webSchemes } from "./SafeUrl.ts"

export interface SanitiseOptions {
  /**
   * Images attached to the mail: maps the Content-ID, without angle brackets, to the address to use in the page. An
   * address is a local path, http(s) or `data:image/…`. The caller guarantees that these addresses are safe.
   */
  readonly inlineImages?: ReadonlyMap<string, string>
  /** With `block`, the default, a remote image is not loaded and its address moves to `data-remote-src`. */
  readonly remoteImages?: "block" | "show"
  /** Whether to extract the plain text of the page. Default: false. */
  readonly plainText?: boolean
}

export interface Sanitised {
  readonly html: string
  /** Number of blocked images, whose address is in `data-remote-src`. */
  readonly blocked_images: number
  /** Distinct link targets in page order; at most `maxLinks`. */
  readonly links: ReadonlyArray<string>
  /** True when a limit was exceeded and the end of the page is missing. */
  readonly truncated: boolean
  /** Plain text of the page, when requested. */
  readonly text?: string
}

/**
 * Longest page that is parsed; the rest is cut. Unit: characters. Reason: HTML of real mail stays under 1 MiB without
 * images.
 */
export const maxInput = 2 * 1024 * 1024

/** Longest output. Unit: characters. Reason: escaping makes text up to five times longer. */
export const maxOutput = 2 * maxInput

/**
 * Maximum number of open elements; a page with more is cut. Unit: elements. Reason: parser time grows with its square;
 * real mail stays under 200.
 */
export const maxOpen = 2000

/**
 * Maximum nesting of the output. Unit: elements. Reason: browsers stop nesting at 512, and the surrounding page needs
 * some levels.
 */
export const maxNesting = 256

/** Maximum number of listed links. Reason: the list is for people and link checks, and need not be complete. */
export const maxLinks = 1000

/** Prefix of every id and name, so that none collides with an id of the surrounding page. */
export const idPrefix = "mail-"

export const sanitise = (html: string, options: SanitiseOptions = {}): Sanitised => {
  let input = html.slice(0, maxInput).toWellFormed().replace(controls, "")
  let truncated = html.length > maxInput
  // When a limit is exceeded, retries with half of the input. This is bounded and needs no position from the parser.
  for (;;) {
    const result = once(input, options)
    if (result !== undefined)
      return { ...result, truncated, ...(options.plainText === true ? { text: plainText(result.html) } : {}) }
    truncated = true
    input = input.slice(0, Math.floor(input.length / 2)).toWellFormed()
  }
}

/** Control characters except tab and line breaks. Browsers drop some of them, and none is visible. */
// oxlint-disable-next-line no-control-regex
const controls = /[\0-\x08\x0b\x0e-\x1f\x7f]/g

class TooDeep extends Error {}

/** One pass over the input; undefined when a limit was exceeded. */
const once = (input: string, options: SanitiseOptions): Omit<Sanitised, "truncated"> | undefined => {
  const links = new Set<string>()
  const page: Page = {
    table: options.inlineImages ?? new Map(),
    given: new Set(options.inlineImages?.values()),
    show: options.remoteImages === "show",
    blocked: 0,
    link: (href) => void (links.size < maxLinks && links.add(href))
  }
  let open = 0
  try {
    const written = sanitizeHtml(input, {
      ...library,
      onOpenTag: () => {
        if (++open > maxOpen) throw new TooDeep()
      },
      onCloseTag: () => void open--,
      transformTags: {
        // The body becomes a div, because it may carry the colours of the whole mail.
        body: "div",
        "*": (tagName, attribs) => ({ tagName, attribs: attributesOf(tagName, attribs, page) })
      }
    })
    // The parser may emit half a surrogate pair where a tag ends with the page.
    const html = written.toWellFormed()
    return html.length > maxOutput ? undefined : { html, blocked_images: page.blocked, links: Array.from(links) }
  } catch (error) {
    if (error instanceof TooDeep) return undefined
    throw error
  }
}

/** Library configuration: a second check of names, schemes and styles after `attributesOf`. */
const library: sanitizeHtml.IOptions = {
  allowedTags: [...elements],
  allowedAttributes: { "*": [...Object.keys(attributes), ...ownAttributes] },
  allowedSchemes: [...linkSchemes],
  allowedSchemesByTag: { img: [...webSchemes, "data"] },
  allowedSchemesAppliedToAttributes: ["href", "src", "data-remote-src"],
  allowProtocolRelative: false,
  allowedStyles: { "*": styles },
  nonTextTags: [...dropped],
  disallowedTagsMode: "discard",
  nestingLimit: maxNesting
}

interface Page {
  readonly table: ReadonlyMap<string, string>
  readonly given: ReadonlySet<string>
  readonly show: boolean
  blocked: number
  readonly link: (href: string) => void
}

type Attributes = Readonly<Record<string, string>>

/** Builds the attributes that an element keeps. */
const attributesOf = (tag: string, given: Attributes, page: Page): Record<string, string> => {
  // An element that is dropped adds no images or links.
  if (!elements.includes(tag)) return {}
  const kept: Record<string, string> = {}
  for (const [name, form] of Object.entries(attributes)) {
    const value = own(given, name)
    if (value !== undefined && form.test(value)) kept[name] = value
  }
  const id = own(given, "id")
  if (id !== undefined && idForm.test(id)) kept["id"] = prefixed(id)
  const style = own(given, "style")
  if (style !== undefined && style.length <= maxStyle) kept["style"] = style
  return { ...kept, ...(tag === "a" ? linkOf(given, page) : tag === "img" ? imageOf(given, page) : {}) }
}

const idForm = /^[\w.:-]{1,64}$/

const prefixed = (id: string): string => (id.startsWith(idPrefix) ? id : `${idPrefix}${id}`)

const own = (given: Attributes, name: string): string | undefined =>
  Object.hasOwn(given, name) ? given[name] : undefined

const linkOf = (given: Attributes, page: Page): Record<string, string> => {
  const name = own(given, "name")
  const anchor: Record<string, string> = name !== undefined && idForm.test(name) ? { name: prefixed(name) } : {}
  const target = own(given, "href")?.trim()
  if (target === undefined) return anchor
  // A link to a place in the same mail.
  if (target.startsWith("#"))
    return idForm.test(target.slice(1)) ? { ...anchor, href: `#${prefixed(target.slice(1))}` } : anchor
  const href = safeUrl(target, linkSchemes)
  if (href === undefined) return anchor
  page.link(href)
  return { ...anchor, href, rel: "noopener noreferrer", target: "_blank" }
}

const imageOf = (given: Attributes, page: Page): Record<string, string> => {
  const src = own(given, "src")?.trim() ?? ""
  if (page.given.has(src) || isInlineImage(src)) return { src }
  if (/^cid:/i.test(src)) {
    const found = page.table.get(src.slice(4)) ?? page.table.get(decoded(src.slice(4)))
    return found === undefined ? {} : { src: found }
  }
  const remote = safeUrl(src, webSchemes) ?? safeUrl(own(given, "data-remote-src") ?? "", webSchemes)
  if (remote === undefined) return {}
  if (page.show) return { src: remote }
  page.blocked += 1
  return { "data-remote-src": remote }
}

/** Percent-decodes a Content-ID. Source: RFC 2392 §2. */
const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
