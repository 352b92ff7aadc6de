/**
 * HTML of strangers made fit to be shown in a page of ours. Pure and bounded; runs for seconds on the worst input, so
 * daemons go through HtmlWorker. The library (sanitize-html) parses and writes anew from the tables beside this file;
 * what this file adds are the rules for addresses, images and names.
 *
 * Not done here: style sheets (`<style>` goes with its content), and a Content-Security-Policy, which the page has
 * beside this.
 */
import sanitizeHtml from "sanitize-html"
import { attributes, dropped, elements, ownAttributes } from "./MailMarkup.ts"
import { maxStyle, styles } from "./MailStyles.ts"
import { plainText } from "./PlainText.ts"
import { isInlineImage, linkSchemes, safeUrl, webSchemes } from "./SafeUrl.ts"

export interface SanitiseOptions {
  /**
   * Images that came with the mail: Content-ID without its angle brackets, and the address that stands for it in the
   * page: a path of ours, http(s), or `data:image/…`. The caller vouches for these addresses.
   */
  readonly inlineImages?: ReadonlyMap<string, string>
  /** Default `block`: an image of the net keeps its address in `data-remote-src` and is not loaded. */
  readonly remoteImages?: "block" | "show"
  /** Whether the words of the page are wanted, too. Default false. */
  readonly plainText?: boolean
}

export interface Sanitised {
  readonly html: string
  /** Images that stand aside in `data-remote-src`. */
  readonly blocked_images: number
  /** Where the links lead, each once, in the order of the page; at most `maxLinks`. */
  readonly links: ReadonlyArray<string>
  /** True when the page ends early, because a limit was passed. */
  readonly truncated: boolean
  /** What a reader sees of it, where that was asked for. */
  readonly text?: string
}

/**
 * Longest page that is read; the rest is cut off. Unit: characters. Reason: HTML of real mails stays under 1 MiB, its
 * images aside.
 */
export const maxInput = 2 * 1024 * 1024

/** Longest page that is given out. Unit: characters. Reason: quoting makes text longer by up to five times. */
export const maxOutput = 2 * maxInput

/**
 * Elements open at once; a page that opens more is cut. Unit: elements. Reason: the parser's time grows with the square
 * of it; mails stay under 200.
 */
export const maxOpen = 2000

/**
 * Elements inside each other in what is given out. Unit: elements. Reason: browsers stop nesting at 512, and the page
 * around needs some.
 */
export const maxNesting = 256

/** Links that are listed. Unit: links. Reason: a list for people and for link checks, not a copy of the page. */
export const maxLinks = 1000

/** Before every id and name, so that none is one of the page's own. */
export const idPrefix = "mail-"

export const sanitise = (html: string, options: SanitiseOptions = {}): Sanitised => {
  let input = html.slice(0, maxInput).toWellFormed().replace(controls, "")
  let truncated = html.length > maxInput
  // Half of what was too much is tried again: bounded, and needs no parser's position.
  for (;;) {
    const result = once(input, options)
    if (result !== undefined)
      return { ...result, truncated, ...(options.plainText === true ? { text: plainText(result.html) } : {}) }
    truncated = true
    input = input.slice(0, Math.floor(input.length / 2)).toWellFormed()
  }
}

/** Control characters but tab and line breaks: browsers drop some of them, and nobody sees the others. */
// oxlint-disable-next-line no-control-regex
const controls = /[\0-\x08\x0b\x0e-\x1f\x7f]/g

class TooDeep extends Error {}

/** Undefined when a limit was passed. */
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
        // Colours of the whole mail stand on its body.
        body: "div",
        "*": (tagName, attribs) => ({ tagName, attribs: attributesOf(tagName, attribs, page) })
      }
    })
    // The parser gives half a character where a tag ends with the page.
    const html = written.toWellFormed()
    return html.length > maxOutput ? undefined : { html, blocked_images: page.blocked, links: Array.from(links) }
  } catch (error) {
    if (error instanceof TooDeep) return undefined
    throw error
  }
}

/** The second line behind `attributesOf`: the library looks at names, schemes and styles by itself. */
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

/** What an element keeps of its attributes, made anew. */
const attributesOf = (tag: string, given: Attributes, page: Page): Record<string, string> => {
  // An element that is not kept counts nothing.
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
  // A place in the mail itself.
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

/** Source: RFC 2392 §2: a Content-ID is percent-encoded in the address. */
const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
