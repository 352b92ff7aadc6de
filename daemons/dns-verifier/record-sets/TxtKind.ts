/** Kinds of TXT records of which a name may have only one. Pure. */
import { isSpf } from "./Spf.ts"

/** `spf`: RFC 7208 §3.2. `dmarc`: RFC 7489 §6.1. `dkim`: the key of a selector, RFC 6376 §3.6.2. */
export type TxtKind = "spf" | "dmarc" | "dkim" | "other"

export const txtKind = (name: string, content: string): TxtKind => {
  const labels = name.split(".")
  return isSpf(content)
    ? "spf"
    : labels[0] === "_dmarc" && /^\s*v\s*=\s*DMARC1\s*(;|$)/.test(content)
      ? "dmarc"
      : // Receivers read any text at this name as a key, with or without `v=`.
        labels.indexOf("_domainkey") > 0
        ? "dkim"
        : "other"
}
