import { NodeHttpServerRequest } from "@effect/platform-node"
import { Effect, Option } from "effect"
import { HttpServerRequest } from "effect/http"
import { Caller, tenantOf } from "#core/auth/Caller.ts"
import { Secrets } from "#core/config/Secrets.ts"
import { noStore } from "#core/http/AnswerHeaders.ts"
import * as Handlers from "#core/http/Handlers.ts"
import { NotFound, orUnavailable } from "#core/http/Problem.ts"
import { sampleRate } from "#protocols/wake-word/Shape.ts"
import { extractorFile, type ExtractorFile } from "../engine/Exports.ts"
import { frameSamples } from "../vocabulary/Exports.ts"
import { ListeningApi, type ListeningStatus } from "./Api.ts"
import { Listening } from "./Listening.ts"
import { socketPaths } from "./socket/Handshake.ts"
import * as Tickets from "./socket/Tickets.ts"

const noModel = new NotFound({ detail: "No model is active, or its extractor has no such file." })

export const listening = Handlers.group(
  ListeningApi,
  "wakeword",
  Effect.fn(function* (handlers) {
    const { listeners, models, source } = yield* Listening
    const secrets = yield* Secrets
    const active = Effect.flatMap(Caller, (caller) => models.read(tenantOf(caller)))

    const part = (file: ExtractorFile) =>
      Effect.gen(function* () {
        const model = yield* orUnavailable(active)
        if (model === undefined) return yield* noModel
        const found = yield* extractorFile(source, file, model.extractor)
        return Option.isSome(found) ? found.value : yield* noModel
      })

    return handlers.handleAll({
      status: Effect.fnUntraced(function* () {
        yield* noStore
        const caller = yield* Caller
        const model = yield* orUnavailable(active)
        const problem = model === undefined ? undefined : listeners.problemOf(model)
        const base = {
          model:
            model === undefined
              ? null
              : {
                  name: model.name,
                  word: model.word,
                  language: model.language,
                  threshold: model.threshold,
                  extractor: model.extractor,
                  sha256: model.sha256
                },
          sample_rate: sampleRate,
          frame_samples: frameSamples
        }
        if (model === undefined || problem !== undefined)
          return {
            ...base,
            state: model === undefined ? ("no_model" as const) : ("unavailable" as const),
            problem: problem ?? null,
            websocket_url: null,
            ticket_expires_at: null
          }
        listeners.warm(model)
        const [key] = yield* Effect.orDie(secrets.derive(Tickets.ticketUse))
        const ticket = Tickets.newTicket(
          { tenantId: tenantOf(caller), userId: caller.kind === "user" ? caller.userId : null },
          Date.now()
        )
        return {
          ...base,
          state: "listening" as const,
          problem: null,
          websocket_url: `${yield* requestBase}${socketPaths[1]}?ticket=${Tickets.write(ticket, key!)}`,
          ticket_expires_at: new Date(ticket.expiresAt).toISOString()
        } satisfies typeof ListeningStatus.Type
      }),
      activeModel: () =>
        Effect.flatMap(orUnavailable(active), (model) =>
          model === undefined ? Effect.fail(noModel) : Effect.succeed(new Uint8Array(model.file))
        ),
      activeEmbedding: () => part("embedding"),
      activeMel: () => part("mel")
    })
  })
)

/** Address of the request with the scheme of sockets. Forwarded headers are those of trusted proxies. */
const requestBase = Effect.map(HttpServerRequest.HttpServerRequest, (request) => {
  const { headers } = NodeHttpServerRequest.toIncomingMessage(request)
  const first = (name: string) => headers[name]?.toString().split(",", 1)[0]!.trim()
  const secure = first("x-forwarded-proto") === "https"
  return `${secure ? "wss" : "ws"}://${first("x-forwarded-host") ?? headers.host ?? "localhost"}`
})
