/**
 * Declarations that a `style` attribute in untrusted mail may contain. Table only. Excluded: resources (`url()`,
 * `image-set()`), elements outside their place (`position`, negative margins, `transform`), and code in old engines
 * (`expression`, `behavior`). No value may contain a colon, backslash, at-sign, comment or a function other than a
 * colour.
 */

/** Longest attribute that is parsed. Unit: characters. Reason: mail programs write less than one thousand. */
export const maxStyle = 4096

const words = /^[a-z][a-z -]{0,63}$/i
const colour = /^(?:#[0-9a-f]{3,8}|[a-z]{1,32}|(?:rgb|hsl)a?\([\d\s.,%/]{1,64}\))$/i
const aLength = String.raw`(?:\d{1,5}(?:\.\d{1,4})?|\.\d{1,4})(?:px|pt|em|rem|ex|ch|cm|mm|in|pc|%)?`
/** One to four non-negative lengths. */
const lengths = new RegExp(
  String.raw`^(?:${aLength}|auto|normal|none|thin|medium|thick)(?:\s+(?:${aLength}|auto)){0,3}$`,
  "i"
)
/** Shorthand values: words, lengths, font names, colours. */
const mixed = /^(?:[\w\s.,%#'"/-]|(?:rgb|hsl)a?\([\d\s.,%/]{1,64}\)){1,200}$/i

const each = (names: string, form: RegExp): Record<string, Array<RegExp>> =>
  Object.fromEntries(names.split(" ").map((name) => [name, [form]]))

const sides = (name: string, end = ""): string =>
  ["top", "right", "bottom", "left"].map((side) => `${name}-${side}${end}`).join(" ")

export const styles: Readonly<Record<string, Array<RegExp>>> = {
  ...each(`color background-color border-color ${sides("border", "-color")} text-decoration-color`, colour),
  // The shorthand could load an image, so only a colour is allowed.
  ...each("background", colour),
  ...each("font font-family font-size text-decoration", mixed),
  ...each(`border ${sides("border")} border-style ${sides("border", "-style")}`, mixed),
  ...each(
    `border-width ${sides("border", "-width")} border-radius border-spacing line-height letter-spacing word-spacing`,
    lengths
  ),
  ...each(
    `margin ${sides("margin")} padding ${sides("padding")} ` +
      "width min-width max-width height min-height max-height text-indent",
    lengths
  ),
  ...each(
    "font-style font-variant text-align text-transform vertical-align white-space word-break word-wrap overflow-wrap",
    words
  ),
  ...each(
    "border-collapse caption-side clear direction float hyphens list-style-type table-layout unicode-bidi",
    words
  ),
  "font-weight": [/^(?:[a-z]{1,16}|[1-9]\d{0,3})$/i],
  display: [/^(?:none|block|inline|inline-block|list-item|table|table-row|table-cell|table-row-group|inline-table)$/i]
}
