/** The tests of groups of settings. Each really tries, with values that need not be stored yet. */
import type { Effect } from "effect"
import { chatProblem } from "#core/config/MessengerSettings.ts"
import { addressProblem } from "#core/second-path/NoticeSettings.ts"
import { testMessenger } from "./Messenger.ts"
import { testRelay } from "./Relay.ts"
import { testResolvers } from "./Resolvers.ts"
import type { TestResult } from "./Result.ts"
import { testSpeech } from "./Speech.ts"
import { testSwitch } from "./Switch.ts"
import type { Tested } from "./Tested.ts"
import type { Trial } from "./Trial.ts"

/** `to`: chat, recipient or name that the test is for. */
export type Test = (trial: Trial, to: string | undefined) => Effect.Effect<ReadonlyArray<TestResult>>

export const tests: Readonly<Record<Tested, Test>> = {
  messenger: testMessenger,
  switch: testSwitch,
  speech: testSpeech,
  relay: testRelay,
  resolvers: testResolvers
}

/** The problem of `to`, as a sentence. */
export const targetProblem = (group: Tested, to: string): string | undefined => {
  switch (group) {
    case "messenger":
      return chatProblem(to)
    case "relay":
      return addressProblem(to)
    case "resolvers":
      return to === "." || (to.length <= 253 && /^[a-z0-9_-]+(\.[a-z0-9_-]+)*\.?$/i.test(to))
        ? undefined
        : "must be a domain name"
    default:
      return "has no target"
  }
}
