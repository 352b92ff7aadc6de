/** Outage matrix, second part: gateways for messages and speech. One process runs through all outages in order. */
import { layer } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { providerTimeouts } from "#core/speech/SpeechGateway.ts"
import { gatewayBudget } from "#core/speech/Synthesis.ts"
import { defaultTimeout } from "#protocols/bot-api/BotApi.ts"
import { badGateway } from "#support/Door.ts"
import { describePeers } from "#support/peers/DescribePeers.ts"
import { call } from "./Load.ts"
import { long, type Outage, prove } from "./Matrix.ts"
import { layer as siteLayer, OutageSite } from "./Site.ts"

const messages = ["messenger", "messenger_voice"] as const

const outages: ReadonlyArray<Outage> = [
  {
    name: "the messenger refuses",
    away: ({ doors }) => doors.messenger.set("shut"),
    back: ({ doors }) => doors.messenger.set("open"),
    named: { daemon: "comm-dispatcher", part: /^messenger/ },
    holds: messages,
    mayRepeat: messages
  },
  {
    name: "the messenger answers 502",
    away: ({ doors }) => doors.messenger.set(badGateway),
    back: ({ doors }) => doors.messenger.set("open"),
    named: { daemon: "comm-dispatcher", part: /^messenger/ },
    holds: messages,
    mayRepeat: messages
  },
  {
    name: "the messenger hangs",
    away: ({ doors }) => doors.messenger.set("mute"),
    back: ({ doors }) => doors.messenger.set("open"),
    named: { daemon: "comm-dispatcher", part: /^messenger/ },
    holds: messages,
    mayRepeat: messages,
    blindFor: Duration.toMillis(defaultTimeout)
  },
  {
    name: "the speech gateway refuses",
    away: ({ doors }) => doors.speech.set("shut"),
    back: ({ doors }) => doors.speech.set("open"),
    named: { daemon: "comm-dispatcher", part: /^tts/ },
    holds: []
  },
  {
    name: "the speech gateway hangs",
    // Requests a call with the speech provider of the shortest timeout, so that the outage is detected soonest.
    away: (site) => Effect.andThen(site.doors.speech.set("mute"), call(site, { tts_provider: "local_fast" })),
    back: ({ doors }) => doors.speech.set("open"),
    named: { daemon: "comm-dispatcher", part: /^tts/ },
    holds: ["call", "messenger_voice"],
    blindFor: Duration.toMillis(providerTimeouts.local_fast),
    // Time until espeak-ng has spoken all texts that waited for the gateway.
    working: Duration.toMillis(gatewayBudget)
  }
]

describePeers(["dovecot", "redis", "espeak-ng", "ffmpeg"], "alarms while a gateway is away", () => {
  layer(siteLayer(), { excludeTestServices: true, timeout: "300 seconds" })((it) => {
    for (const outage of outages) {
      it.effect(outage.name, () => Effect.flatMap(OutageSite, (site) => prove(site, outage)), long ? 400_000 : 300_000)
    }
  })
})
