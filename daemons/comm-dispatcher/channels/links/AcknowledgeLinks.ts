/** Links in alarm messages, by which the reader acknowledges the alarm without a sign-in. */
import { Clock, Effect } from "effect"
import { Secrets } from "#core/config/Secrets.ts"
import { publicUrl } from "#core/http/PublicBase.ts"
import { StoredSettings } from "#core/settings/StoredSettings.ts"
import { shippedTexts } from "#core/words/ShippedTexts.ts"
import type { LanguageCode } from "#core/words/TextMemory.ts"
import type { DeliveryRequest } from "../Channels.ts"
import * as AcknowledgeLink from "./AcknowledgeLink.ts"

const words = shippedTexts("comm-dispatcher.acknowledge-links", {
  en: { acknowledge: "Acknowledge: {address}" },
  de: { acknowledge: "Quittieren: {address}" }
})

/** The link of a token below the public address. Pure. */
export const addressOf = (base: string, token: string): string =>
  `${base.replace(/\/+$/, "")}${AcknowledgeLink.linkPath}#${token}`

type Linked = Pick<DeliveryRequest, "kind" | "position" | "receivedAt" | "runId">

/**
 * Appends the link to the text of an alarm. The text stays as it is for direct requests, without a public address, and
 * without a readable key. The same for every attempt, because it expires a fixed time after the alarm.
 */
export const withLink = Effect.gen(function* () {
  const { derive } = yield* Secrets
  const { value } = yield* StoredSettings
  return (request: Linked, text: string, language: LanguageCode): Effect.Effect<string> =>
    Effect.gen(function* () {
      const base = value(publicUrl)
      if (base === undefined || request.kind === "request") return text
      const [key] = yield* derive(AcknowledgeLink.linkUse)
      if (key === undefined) return text
      const expiresAt = Date.parse(request.receivedAt) + AcknowledgeLink.linkLife
      const token = AcknowledgeLink.write({ runId: request.runId, position: request.position, expiresAt }, key)
      return `${text.trimEnd()}\n\n${words(language).acknowledge({ address: addressOf(base, token) })}`
    }).pipe(
      Effect.catch(({ message }) =>
        Effect.as(Effect.logWarning(`no link to acknowledge in a message: ${message}`), text)
      )
    )
})

/** Reads tokens of links. Undefined: not signed by this installation, or expired. */
export const readLink = Effect.gen(function* () {
  const { derive } = yield* Secrets
  return (token: string) =>
    Effect.gen(function* () {
      const keys = yield* derive(AcknowledgeLink.linkUse)
      return AcknowledgeLink.read(token, keys, yield* Clock.currentTimeMillis)
    })
})
