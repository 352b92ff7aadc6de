/** Placeholders in which a text differs from its source, as far as they are refused. Pure. */
import { type Message, missingPlaceholders, unknownPlaceholders } from "#core/words/Message.ts"
import { serverKeys } from "#core/words/ShippedTexts.ts"

/**
 * `unknown`: the program could not fill them. `missing`: only of texts of our own pages and mails. A mail with a link
 * must have the link.
 */
export const otherPlaceholders = (
  key: string,
  source: Message,
  text: Message
): { readonly unknown: ReadonlyArray<string>; readonly missing: ReadonlyArray<string> } => ({
  unknown: unknownPlaceholders(source, text),
  missing: key.startsWith(serverKeys) ? missingPlaceholders(source, text) : []
})
