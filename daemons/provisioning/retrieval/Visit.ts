/**
 * Decides whether a request for a link uses it up. Mail scanners, chat previews and browsers open links without a
 * person. Pure.
 */

export interface Visit {
  readonly method: string
  readonly headers: Readonly<Record<string, string | undefined>>
}

/** `page`: shows the page with the button, and uses nothing up. `retrieve`: sets a device up. */
export const visitOf = ({ headers, method }: Visit): "page" | "retrieve" => {
  if (method === "POST") return "retrieve"
  if (method !== "GET" || isPrefetch(headers)) return "page"
  return acceptsHtml(headers["accept"]) ? "page" : "retrieve"
}

/**
 * Headers of requests that no person has made. Sources: Fetch, §2.2.7 `Sec-Purpose`; the others are older names that
 * browsers and previews use.
 */
const purposes = ["sec-purpose", "purpose", "x-purpose", "x-moz"] as const

const isPrefetch = (headers: Visit["headers"]): boolean =>
  purposes.some((name) => /prefetch|prerender|preview/i.test(headers[name] ?? ""))

/** Longest header that is parsed. Unit: UTF-16 units. */
const maxAccept = 1_000

/** Whether the Accept header names HTML. A wildcard alone does not: programs send it. Source: RFC 9110 §12.5.1. */
export const acceptsHtml = (accept: string | undefined): boolean =>
  (accept ?? "")
    .slice(0, maxAccept)
    .split(",")
    .some((range) => {
      const [type = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase())
      return /^(?:text\/(?:html|\*)|application\/xhtml\+xml)$/.test(type) && !parameters.some(isRefused)
    })

const isRefused = (parameter: string): boolean => /^q=0(?:\.0*)?$/.test(parameter)
