/**
 * Makes user text harmless for the switch. Pure. The XML writer escapes attributes. The switch itself interprets values
 * after parsing: it expands `${…}` and `$${…}`, and commas, quotes, brackets and pipes separate parts of dial strings.
 */

/** Longest user text in a document. Unit: characters. Reason: phones show twenty. */
const maxText = 100

/** Text for display, without characters that the switch interprets. */
export const inert = (text: string): string =>
  clean(text.slice(0, 4 * maxText))
    .replace(/[${}[\]<>(),|;:^&"'`\\]/g, "")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, maxText)

/**
 * Text that identifies something, without characters that XML forbids and without `$`, which the switch would expand.
 */
export const clean = (text: string): string => exact(text).replaceAll("$", "")

/**
 * Text without characters that XML forbids, otherwise unchanged (for a provider's password). Only for values that the
 * switch does not expand.
 */
export const exact = (text: string): string => text.replace(unfit, "")

/**
 * Control characters and invalid characters. Source: XML 1.0 §2.2; the C1 controls are included because some parsers
 * reject them.
 */
const unfit =
  /[\u0000-\u001f\u007f-\u009f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

/** Whether a number or domain may appear in a dial string. */
export const isDialable = (text: string): boolean => text.length <= 253 && /^[A-Za-z0-9_+][A-Za-z0-9._+-]*$/.test(text)
