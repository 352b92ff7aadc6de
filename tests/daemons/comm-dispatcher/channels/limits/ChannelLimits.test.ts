import { Duration } from "effect"
import { assert, it } from "vitest"
import { quickRepeatPauses } from "#daemons/comm-dispatcher/alarms/attempt/RetryPlan.ts"
import {
  hostBreaker,
  messagesPerChatSecond,
  messengerLimits,
  webhookLimits
} from "#daemons/comm-dispatcher/channels/limits/ChannelLimits.ts"

it("counts each chat, and all of them together; each host", () => {
  assert.deepStrictEqual(messengerLimits(7)("-5"), [
    { key: "chat -5", most: messagesPerChatSecond, window: 1_100 },
    { key: "messenger", most: 7, window: 1_100 }
  ])
  assert.deepStrictEqual(webhookLimits(7)("https://h.test:8443/a?b"), [
    { key: "https://h.test:8443", most: 7, window: 1_000 }
  ])
})

it("looks at a host again before a target without RETRY is given up", () => {
  const longest = Duration.toMillis(hostBreaker.pause.max) * (1 + hostBreaker.pause.jitter)
  assert.isBelow(longest, quickRepeatPauses.at(-1)! * 60_000)
})
