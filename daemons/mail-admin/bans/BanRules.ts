/** Rules for banning addresses at the mail server. */
import { Duration } from "effect"
import type { BanRule } from "#core/bans/BanDecision.ts"

/** Rule for wrong passwords. Source: spec 3 §2.6, "mail brute force 24 h (5 failures in 5 min)". */
export const mailBruteForce: BanRule = {
  name: "mail-brute-force",
  count: 5,
  window: Duration.minutes(5),
  length: Duration.hours(24)
}

/** Rule for submitted mails. Source: spec 3 §2.6, "mail spam sender 24 h (20 mails in 10 min)". */
export const mailSpamSender: BanRule = {
  name: "mail-spam-sender",
  count: 20,
  window: Duration.minutes(10),
  length: Duration.hours(24)
}
