/** The audio socket: checks upgrade requests and tickets, and opens connections. */
import { Cause, Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { IncomingMessage } from "node:http"
import type { Duplex } from "node:stream"
import { WebSocketServer } from "ws"
import { providerTenant } from "#core/auth/Caller.ts"
import type { Secrets } from "#core/config/Secrets.ts"
import { clientAddress } from "#core/http/ClientAddress.ts"
import { clientKey } from "#core/http/ClientKey.ts"
import type { UpgradeListener } from "#core/http/Listener.ts"
import { lingerTime, rawProblem } from "#core/http/NodeProblem.ts"
import { Background, transaction } from "#core/sql/Sql.ts"
import type { ActiveModels } from "../ActiveModels.ts"
import type { Bounds } from "./Bounds.ts"
import { closeSocket, type Owner } from "./Connection.ts"
import { decide, type Entry } from "./Handshake.ts"
import type { Listeners } from "./Listeners.ts"
import { readPlainFrames } from "./PlainFrames.ts"
import * as Tickets from "./Tickets.ts"

export interface WakeSocketOptions {
  readonly entry: Entry
  readonly bounds: Bounds
  readonly listeners: Listeners
  readonly models: ActiveModels
  readonly secrets: Secrets["Service"]
  /** Runs the effects of a connection. */
  readonly run: (effect: Effect.Effect<void, never, SqlClient.SqlClient>) => void
}

export const make = ({ bounds, entry, listeners, models, run, secrets }: WakeSocketOptions) => {
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: bounds.maxMessage,
    perMessageDeflate: false,
    clientTracking: false
  })
  server.on("wsClientError", (_, socket) => socket.end(rawProblem(400)))
  /** Connections that are opening: they wait for the database. */
  let opening = 0
  let refused = 0
  /** Connections without ticket by address. */
  const bare = new Map<string, number>()

  const turnAway = (socket: Duplex, ...problem: Parameters<typeof rawProblem>): void => {
    refused += 1
    socket.end(rawProblem(...problem))
    // A client that never closes its side would occupy a connection slot.
    setTimeout(() => socket.destroy(), lingerTime).unref()
  }

  /** Opens the connection: its owner is known and its ticket is used up. */
  const open = (request: IncomingMessage, socket: Duplex, head: Buffer, owner: Owner, ended: () => void) =>
    Effect.map(models.read(owner.tenantId), (model) => {
      if (socket.destroyed) return ended()
      server.handleUpgrade(request, socket, head, (opened) => {
        opened.once("close", ended)
        if (model === undefined) closeSocket(opened, "noModel")
        else if (!listeners.hasRoom(owner.tenantId, 0)) closeSocket(opened, "full")
        else {
          readPlainFrames(socket, opened, bounds.maxMessage)
          listeners.accept(opened, owner, model, () => undefined)
        }
      })
    })

  /** Runs the opening; a database that does not answer turns the client away. */
  const opened = (
    socket: Duplex,
    opens: Effect.Effect<void, unknown, SqlClient.SqlClient>,
    ended: () => void
  ): void => {
    opening += 1
    run(
      opens.pipe(
        Effect.catchCause((cause) =>
          Effect.andThen(
            // The process stops: there may be hundreds.
            Cause.hasInterrupts(cause)
              ? Effect.void
              : Effect.logWarning("an audio connection could not be opened", cause),
            Effect.sync(() => {
              ended()
              turnAway(socket, 503, "Try again later.")
            })
          )
        ),
        Effect.ensuring(Effect.sync(() => void (opening -= 1))),
        // Hundreds of clients that open at once leave a connection of the database to everything else.
        Effect.provideService(Background, true)
      )
    )
  }

  /** Accepts the handshake only to tell the client why it is closed: browsers hide other refusals. */
  const full = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    refused += 1
    server.handleUpgrade(request, socket, head, (ws) => closeSocket(ws, "full"))
  }

  const upgrade: UpgradeListener = (request, socket, head) => {
    const { headers, method, url } = request
    const query = (url ?? "/").split("?", 2)[1] ?? ""
    const decision = decide(
      {
        method: method ?? "GET",
        upgrade: headers.upgrade,
        version: headers["sec-websocket-version"] as string | undefined,
        key: headers["sec-websocket-key"] as string | undefined,
        origin: headers.origin,
        ticket: new URLSearchParams(query).get("ticket")
      },
      entry
    )
    if (decision.kind === "refused") return turnAway(socket, decision.refusal, decision.detail)
    if (decision.kind === "bare") {
      const owner: Owner = { tenantId: providerTenant, userId: null }
      const key = clientKey(clientAddress(request))
      const count = bare.get(key) ?? 0
      if (count >= bounds.maxPerAddress || !listeners.hasRoom(owner.tenantId, opening))
        return full(request, socket, head)
      bare.set(key, count + 1)
      let left = false
      const ended = () => {
        if (left) return
        left = true
        const rest = bare.get(key)! - 1
        if (rest === 0) bare.delete(key)
        else bare.set(key, rest)
      }
      return opened(socket, open(request, socket, head, owner, ended), ended)
    }
    opened(
      socket,
      Effect.gen(function* () {
        const keys = yield* secrets.derive(Tickets.ticketUse)
        const ticket = Tickets.read(decision.ticket, keys, Date.now())
        if (ticket === undefined) return turnAway(socket, 401, "The ticket is invalid or has expired.")
        if (!listeners.hasRoom(ticket.tenantId, opening - 1)) return full(request, socket, head)
        if (!(yield* transaction(Tickets.use(ticket)))) return turnAway(socket, 401, "The ticket was used before.")
        yield* open(request, socket, head, ticket, () => undefined)
      }),
      () => undefined
    )
  }

  return { upgrade, refused: () => refused }
}
