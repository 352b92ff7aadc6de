/**
 * Limits of failed sign-ins: one pair of variables for all daemons with a sign-in. Source: interface document 3 §2.2.
 */
import * as Settings from "./Settings.ts"

export const signInLimits = {
  throttleWindow: Settings.integer("AUTH_RATE_LIMIT_WINDOW", {
    doc:
      "Window in which failed sign-ins are counted: by identity for each account and each client address, by " +
      "edge-auth for each client address",
    unit: "seconds",
    default: 300,
    min: 1,
    max: 86_400
  }),
  throttleMax: Settings.integer("AUTH_RATE_LIMIT_MAX", {
    doc: "Most failed sign-ins within the window, for identity and for edge-auth; the next is refused unchecked",
    unit: "failed sign-ins",
    default: 10,
    min: 1,
    max: 10_000
  })
}
