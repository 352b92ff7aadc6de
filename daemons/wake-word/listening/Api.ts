import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authentication } from "#core/auth/Authentication.ts"
import * as Api from "#core/http/Api.ts"
import { NotFound } from "#core/http/Problem.ts"

/** What a client may know of the active model. */
export const ActiveModel = Schema.Struct({
  name: Schema.String,
  word: Schema.String,
  language: Schema.String,
  /** A score at or above it is a wake. 0 to 1. */
  threshold: Schema.Number,
  /** Id of the extractor: `signalbox-…` for our own, `openwakeword-…` for the files of the operator. */
  extractor: Schema.String,
  /** Hex. Changes with every model: a client that keeps a model compares it. */
  sha256: Schema.String
}).annotate({ identifier: "ActiveWakeWordModel" })

export const ListeningStatus = Schema.Struct({
  /**
   * `listening`: the socket answers. `no_model`: no model is active, use the browser's own recognition. `unavailable`:
   * the model cannot run here; `problem` says why.
   */
  state: Schema.Literals(["listening", "no_model", "unavailable"]),
  problem: Schema.NullOr(Schema.String),
  model: Schema.NullOr(ActiveModel),
  /** Address of the socket with a ticket, which opens one connection. Null unless `state` is `listening`. */
  websocket_url: Schema.NullOr(Schema.String),
  /** End of the ticket. ISO 8601. */
  ticket_expires_at: Schema.NullOr(Schema.String),
  /** Format of the audio: Int16 little-endian, one channel. Unit: samples a second. */
  sample_rate: Schema.Int,
  /** Samples of the usual frame. Any number is accepted. */
  frame_samples: Schema.Int
}).annotate({ identifier: "WakeWordStatus" })

const onnx = Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array({ contentType: "application/octet-stream" }))

const file = (summary: string, description: string) =>
  OpenApi.annotations({
    summary,
    description: `${description} ONNX. 404 without an active model. For engines that run in the browser.`
  })

const listeningGroup = HttpApiGroup.make("wakeword")
  .add(
    HttpApiEndpoint.get("status", "/status", { success: ListeningStatus }).annotateMerge(
      OpenApi.annotations({
        summary: "Active model, and where to send audio",
        description:
          "Each answer has an address of its own: its ticket opens one WebSocket within 60 seconds. Send binary " +
          "frames of Int16 little-endian samples, 16 kHz, one channel. The socket answers " +
          '`{"event":"wake","score":0.93,"word":"…"}` and `{"event":"ping"}`. A text frame closes it.'
      })
    ),
    HttpApiEndpoint.get("activeModel", "/active/model", { success: onnx, error: NotFound }).annotateMerge(
      file("Network of the active model", "Takes the newest embeddings and gives the score.")
    ),
    HttpApiEndpoint.get("activeEmbedding", "/active/embedding", { success: onnx, error: NotFound }).annotateMerge(
      file("Embedding network of the active model's extractor", "Takes a window of mel frames.")
    ),
    HttpApiEndpoint.get("activeMel", "/active/mel", { success: onnx, error: NotFound }).annotateMerge(
      file(
        "Mel network of the active model's extractor",
        "404 for our own extractor, whose mel frames are computed in code."
      )
    )
  )
  .middleware(Authentication)
  .prefix("/api/v1/wakeword")

export const ListeningApi = Api.make("wake-word-listening").add(listeningGroup)
