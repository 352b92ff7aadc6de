/** Connects to the cluster ports of other processes, with the key that the database has for the address. */
import { NodeSocket } from "@effect/platform-node"
import { Duration, Effect, Layer, Option } from "effect"
import { type RunnerAddress, Runners } from "effect/cluster"
import { RpcClient, RpcSerialization } from "effect/rpc"
import { Socket } from "effect/socket"
import { connect, type TLSSocket } from "node:tls"
import { Incarnation } from "./Incarnation.ts"
import { ciphers, identityOf, secureContext } from "./RunnerTls.ts"

/** Time limit for the key and the handshake. Unit: seconds. Reason: a ping is repeated after 10 s (RunnerHealth). */
const openTimeout = Duration.seconds(3)

/** Key of the process at an address; none when no living process has it. */
export type KeyOf = (identity: string) => Effect.Effect<Option.Option<Uint8Array>, unknown>

const failed = (cause: unknown) =>
  new Socket.SocketError({ reason: new Socket.SocketOpenError({ kind: "Unknown", cause }) })

/** An authenticated connection, closed with the scope. */
export const dial = Effect.fnUntraced(function* (address: RunnerAddress.RunnerAddress, keyOf: KeyOf) {
  const identity = identityOf(address)
  const found = yield* Effect.mapError(keyOf(identity), failed)
  if (Option.isNone(found)) return yield* Effect.fail(failed(new Error(`no living process is at ${identity}`)))
  const psk = found.value
  return yield* Effect.acquireRelease(
    Effect.callback<TLSSocket, Socket.SocketError>((resume) => {
      const socket = connect({
        host: address.host,
        port: address.port,
        ciphers,
        secureContext,
        pskCallback: () => ({ psk, identity }),
        // The key has authenticated the server; it has no certificate.
        checkServerIdentity: () => undefined
      })
      socket.once("secureConnect", () => resume(Effect.succeed(socket)))
      socket.on("error", (cause) => resume(Effect.fail(failed(cause))))
      socket.once("close", () => resume(Effect.fail(failed(new Error("closed during the handshake")))))
      return Effect.sync(() => socket.destroy())
    }),
    (socket) => Effect.sync(() => socket.destroySoon()),
    { interruptible: true }
  )
})

export const layer = Layer.effect(
  Runners.RpcClientProtocol,
  Effect.gen(function* () {
    const serialization = yield* RpcSerialization.RpcSerialization
    const { clusterKey } = yield* Incarnation
    return {
      codecFor: serialization.codecFor,
      make: Effect.fnUntraced(function* (address) {
        const socket = yield* NodeSocket.fromDuplex(dial(address, clusterKey), { openTimeout })
        return yield* RpcClient.makeProtocolSocket().pipe(
          Effect.provideService(Socket.Socket, socket),
          Effect.provideService(RpcSerialization.RpcSerialization, serialization)
        )
      }, Effect.orDie)
    }
  })
)
