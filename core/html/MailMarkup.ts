/**
 * HTML elements and attributes that untrusted mail may keep, and the allowed attribute values. Tables only; Sanitise.ts
 * applies them. Everything not listed is dropped: in particular what runs code, loads resources, submits forms, embeds
 * frames or restyles the surrounding page.
 */

/** Kept elements. Source: HTML Living Standard §4.3 to §4.9 and §16.2 (old mail often uses `font` and `center`). */
export const elements: ReadonlyArray<string> = [
  ..."a abbr address article aside b bdi bdo big blockquote br caption center cite code col colgroup".split(" "),
  ..."dd del dfn div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd".split(" "),
  ..."li main mark nav ol p pre q rp rt ruby s samp".split(" "),
  ..."section small span strike strong sub sup table tbody td tfoot th thead time tr tt u ul var wbr".split(" ")
]

/**
 * Elements that are dropped with their content: the content is not readable text, or parsers disagree about where the
 * element ends.
 */
export const dropped: ReadonlyArray<string> = [
  ..."applet audio canvas embed iframe math noembed noframes noscript object option plaintext script".split(" "),
  ..."select style svg template textarea title video xml xmp".split(" ")
]

/** Allowed values of each plain attribute, on any element. Addresses, ids and styles have separate rules. */
export const attributes: Readonly<Record<string, RegExp>> = {
  align: /^[a-z]{1,16}$/i,
  alt: /^[^]{1,1000}$/,
  bgcolor: /^#?[a-z0-9]{1,32}$/i,
  border: /^\d{1,3}$/,
  cellpadding: /^\d{1,3}$/,
  cellspacing: /^\d{1,3}$/,
  color: /^#?[a-z0-9]{1,32}$/i,
  // At most three digits: a browser allocates every claimed column.
  colspan: /^\d{1,3}$/,
  datetime: /^[\w:.+ -]{1,64}$/,
  dir: /^(?:ltr|rtl|auto)$/i,
  face: /^[\w ,'-]{1,200}$/,
  height: /^\d{1,4}(?:\.\d{1,3})?(?:px|%)?$/,
  lang: /^[a-z0-9-]{1,35}$/i,
  nowrap: /^(?:nowrap)?$/i,
  rowspan: /^\d{1,3}$/,
  size: /^[+-]?\d{1,3}$/,
  span: /^\d{1,3}$/,
  start: /^-?\d{1,6}$/,
  title: /^[^]{1,1000}$/,
  type: /^[1aAiI]$|^(?:disc|circle|square)$/,
  valign: /^[a-z]{1,16}$/i,
  width: /^\d{1,4}(?:\.\d{1,3})?(?:px|%)?$/
}

/**
 * Attributes that Sanitise.ts writes itself, with generated values. `data-remote-src` holds the address of a blocked
 * image.
 */
export const ownAttributes: ReadonlyArray<string> = [
  "id",
  "name",
  "href",
  "src",
  "data-remote-src",
  "rel",
  "target",
  "style"
]
