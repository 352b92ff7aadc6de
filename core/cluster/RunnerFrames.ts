/** Encoding of the messages between processes. A connection ends with its first invalid message. */
import { Effect, Layer } from "effect"
import { RpcSerialization } from "effect/rpc"

/**
 * Longest message. Unit: bytes. Reason: processes only send each other pings; other communication uses the database.
 */
export const maxFrameSize = 64 * 1024

/** Error with which Effect's server closes the connection; it answers other errors and continues to read. */
class InvalidFrame extends Error {
  readonly _tag = "MaxBufferSizeExceeded"
}

export const layer = Layer.effect(
  RpcSerialization.RpcSerialization,
  Effect.map(RpcSerialization.RpcSerialization, (binary) =>
    RpcSerialization.RpcSerialization.of({
      ...binary,
      makeUnsafe: () => {
        const parser = binary.makeUnsafe()
        return {
          encode: parser.encode,
          decode: (data) => {
            try {
              return parser.decode(data)
            } catch (cause) {
              throw new InvalidFrame("a message that is too long or invalid", { cause })
            }
          }
        }
      }
    })
  )
).pipe(Layer.provide(RpcSerialization.layerSchemaBinary({ maxFrameSize })))
