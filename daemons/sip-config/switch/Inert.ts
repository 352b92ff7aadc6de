/**
 * Text of people made harmless for the switch. Pure. Attributes are escaped by the writer; this is about what the
 * switch itself reads into a value after the XML is read: `${…}` and `$${…}` are expanded, commas, quotes, brackets and
 * pipes divide dial strings.
 */

/** Longest text of people in an answer. Unit: characters. Reason: phones show twenty. */
const maxText = 100

/** A name: what the switch could read as anything but text is left out. */
export const inert = (text: string): string =>
  clean(text.slice(0, 4 * maxText))
    .replace(/[${}[\]<>(),|;:^&"'`\\]/g, "")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, maxText)

/** A name by which the switch finds something again: without what XML cannot hold, nor what would be expanded. */
export const clean = (text: string): string => exact(text).replaceAll("$", "")

/**
 * What has to stay as it is (a password at a provider): without what XML cannot hold. Only where nothing is expanded.
 */
export const exact = (text: string): string => text.replace(unfit, "")

/**
 * Control characters and what is no character. Source: XML 1.0 §2.2, without the C1 controls, which some readers
 * refuse.
 */
const unfit =
  /[\u0000-\u001f\u007f-\u009f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

/** Whether a number or domain may stand in a dial string: letters, digits, dots, dashes, plus and underscores. */
export const isDialable = (text: string): boolean => text.length <= 253 && /^[A-Za-z0-9_+][A-Za-z0-9._+-]*$/.test(text)
