/**
 * Limits of failed sign-ins: one pair of variables for all daemons with a sign-in. Source: interface document 3 §2.2.
 */
import * as Settings from "./Settings.ts"

export const signInLimits = {
  throttleWindow: Settings.integer("AUTH_RATE_LIMIT_WINDOW", {
    doc:
      "Window in which failed sign-ins are counted, by identity and by edge-auth: for each client address (IPv6: its " +
      "/64), and for each account. edge-auth counts wrong codes of an account also within an hour",
    unit: "seconds",
    default: 300,
    min: 1,
    max: 86_400
  }),
  throttleMax: Settings.integer("AUTH_RATE_LIMIT_MAX", {
    doc: "Failed sign-ins of an address, or of an account, that do not block within the window, for identity and for " +
      "edge-auth. One more blocks: further attempts are refused unchecked. An address from which the account signed " +
      "in within 30 days has a count of its own for it, so that strangers cannot lock out the owner",
    unit: "failed sign-ins",
    default: 10,
    min: 1,
    max: 10_000
  })
}
