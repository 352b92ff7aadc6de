/** State of a client token, as its owner sees it. Pure. Source: interface document 2 §3.4. */

export const tokenStates = ["unused", "used", "expired", "revoked"] as const
export type TokenState = (typeof tokenStates)[number]

/** A used token stays used, also after its revocation or expiry. */
export const stateOf = (
  token: { readonly used_at: Date | null; readonly revoked_at: Date | null; readonly expires_at: Date },
  now: number
): TokenState =>
  token.used_at !== null
    ? "used"
    : token.revoked_at !== null
      ? "revoked"
      : token.expires_at.getTime() <= now
        ? "expired"
        : "unused"
