/**
 * What of a text is said: control characters and mark-up of synthesizers fall away, blanks collapse, and a text too
 * long to listen to ends early. Pure.
 */

/** Longest text that is spoken. Unit: UTF-16 units. Reason: some five minutes; nobody listens to more of an alarm. */
export const maxSpokenCharacters = 3_000

/** The text as it is sent to a synthesizer; empty when there is nothing to say. */
export const spokenText = (text: string): string => {
  const plain = text
    .slice(0, maxSpokenCharacters * 8)
    .toWellFormed()
    .normalize("NFC")
    // Direction overrides, zero widths and soft hyphens are not said, and would only split the cache.
    .replace(/\p{Cf}+/gu, "")
    .replace(/[\p{Cc}\p{Co}\p{Cn}\uFFFD]+/gu, " ")
    // espeak-ng reads [[…]] as phonemes.
    .replace(/\[{2,}|\]{2,}/g, " ")
    .replace(/\s+/gu, " ")
    .trim()
  if (plain.length <= maxSpokenCharacters) return plain
  const cut = plain.slice(0, maxSpokenCharacters)
  const end = Math.max(cut.lastIndexOf(" "), maxSpokenCharacters - 200)
  return `${cut
    .slice(0, end)
    .toWellFormed()
    .replace(/\uFFFD$/, "")
    .trimEnd()} …`
}
