/**
 * Cleans a text for speech: removes control characters and synthesizer mark-up, collapses white space, and cuts long
 * texts. Pure.
 */

/** Longest spoken text. Unit: UTF-16 units. Reason: about five minutes, which is more than anybody listens to. */
export const maxSpokenCharacters = 3_000

/** The text as sent to a synthesizer; empty when nothing remains to be spoken. */
export const spokenText = (text: string): string => {
  const plain = text
    .slice(0, maxSpokenCharacters * 8)
    .toWellFormed()
    .normalize("NFC")
    // Format characters (direction overrides, zero widths, soft hyphens) are not spoken; keeping them would cause cache
    // misses.
    .replace(/\p{Cf}+/gu, "")
    .replace(/[\p{Cc}\p{Co}\p{Cn}\uFFFD]+/gu, " ")
    // espeak-ng interprets [[…]] as phonemes.
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
